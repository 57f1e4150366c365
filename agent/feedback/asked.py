"""Whether a change was asked for: what it adds or takes away is named in the words."""

import re
from collections.abc import Iterator

from agent.understanding.spoken import CONDITIONS, ORDERS, speaks_of, speaks_of_time
from agent.understanding.stems import stem
from agent.understanding.tokens import tokenize
from agent.values.feedback import Operation, OperationName
from agent.values.spec import QuerySpec
from semantic_catalog.model import LOCALES, Domain, Names


def unasked(operations: tuple[Operation, ...], words: str, before: QuerySpec, domain: Domain) -> tuple[Operation, ...]:
    """The operations that nothing in the words asks for.

    Members, dimensions, metrics and limits are said by a name or a number; times, orders, conditions and comparisons by
    a word of some language's grammar. What something else asked for replaces goes with it.
    """
    said, names = _stems(words), {each.name for each in operations}
    named = tuple(each for each in operations if not _is_asked(each, said, words, before, domain))
    unsaid = (each for each in operations if each not in named and not _is_said(each, names, words, before))
    return (*named, *unsaid)


def _is_said(operation: Operation, names: set[OperationName], words: str, before: QuerySpec) -> bool:
    """Whether the words speak of times, orders or conditions where these change, or it follows from what else does."""
    match operation.name:
        case "change_time_window":
            return speaks_of_time(words)
        case "change_order":
            limited = "set_limit" in names and not before.order
            return limited or bool(names & _REORDERING) or speaks_of(words, ORDERS)
        case "semantic_regeneration":
            return bool(names & _RESHAPING) or speaks_of(words, CONDITIONS)
        case _:
            return True


_REORDERING: frozenset[OperationName] = frozenset(
    {"replace_metric", "remove_metric", "add_dimension", "remove_dimension", "change_grouping"}
)
_RESHAPING: frozenset[OperationName] = frozenset({"replace_metric", "remove_metric", "change_time_window"})


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
        case "replace_source":
            named = (each for each in domain.entities if each.name == operation.source)
            return any(_named(each.names, said) or each.name in words.lower() for each in named)
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
