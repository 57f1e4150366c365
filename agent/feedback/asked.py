"""Whether a change was asked for: what it adds or takes away is named in the words."""

import re
from collections.abc import Iterator

from agent.understanding.stems import stem
from agent.understanding.tokens import tokenize
from agent.values.feedback import Operation
from agent.values.spec import QuerySpec
from semantic_catalog.model import LOCALES, Domain, Names


def unasked(operations: tuple[Operation, ...], words: str, before: QuerySpec, domain: Domain) -> tuple[Operation, ...]:
    """The operations that nothing in the words asks for.

    Times, orders and conditions are said in too many ways to be looked for; members, dimensions, metrics and limits
    are said by a name or a number. What something else asked for replaces goes with it.
    """
    said = _stems(words)
    return tuple(each for each in operations if not _is_asked(each, said, words, before, domain))


def _is_asked(operation: Operation, said: frozenset[str], words: str, before: QuerySpec, domain: Domain) -> bool:
    match operation.name:
        case "add_filter" | "replace_filter" | "remove_filter":
            return _names_filter(operation, said, before, domain)
        case "add_dimension" | "remove_dimension":
            names = (*operation.dimensions, *operation.without_dimensions)
            return all(_named(domain.dimension(name).names, said) for name in names)
        case "change_grouping":
            return all(_named(domain.dimension(name).names, said) for name in operation.dimensions)
        case "add_metric" | "replace_metric":
            return any(_named(domain.metric(name).names, said) for name in operation.metrics)
        case "remove_metric":
            return any(_named(domain.metric(name).names, said) for name in operation.without_metrics)
        case "set_limit":
            return operation.limit is None or bool(_numbers(words, operation.limit))
        case _:
            return True


def _names_filter(operation: Operation, said: frozenset[str], before: QuerySpec, domain: Domain) -> bool:
    """Every value that comes or goes is named, or the dimension itself is."""
    wanted = operation.filter
    assert wanted is not None
    dimension = domain.dimension(wanted.dimension)
    old = next((set(f.values) for f in before.filters if f.dimension == wanted.dimension), set())
    moved = set(wanted.values) ^ old if operation.name == "replace_filter" else set(wanted.values)
    called = {member.value: member.names for member in dimension.members}
    come = [value for value in moved if value in wanted.values]
    if operation.name != "remove_filter" and come:
        return all(_stems(value) & said or (value in called and _named(called[value], said)) for value in come)
    return _named(dimension.names, said) or any(
        _stems(value) & said or (value in called and _named(called[value], said)) for value in moved
    )


def _named(names: Names, said: frozenset[str]) -> bool:
    return any(word in said for text in _texts(names) for word in _stems(text))


def _texts(names: Names) -> Iterator[str]:
    yield from names.label.values()
    for synonyms in names.synonyms.values():
        yield from synonyms


def _stems(text: str) -> frozenset[str]:
    tokens = [token.word for token in tokenize(text) if len(token.word) > 2 or token.number is not None]
    return frozenset(stem(word, locale) for word in tokens for locale in LOCALES)


_WORDS_FOR_NUMBERS = re.compile(r"\d+|[^\W\d]+")


def _numbers(words: str, limit: int) -> bool:
    """The number itself, or no digits at all: 'the three best' is written out."""
    found = [token for token in _WORDS_FOR_NUMBERS.findall(words) if token.isdigit()]
    return not found or str(limit) in found
