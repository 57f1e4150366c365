"""Whether a clarification offers what a set says it must, by meaning and not by wording."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from agent.understanding.calendar import Span, clipped
from agent.understanding.templates import read_period
from agent.understanding.tokens import tokenize
from agent.values.spec import SlotName
from semantic_catalog.model import LOCALES, Domain, Names

_SLOTS: frozenset[SlotName] = frozenset({"metric", "period", "dimension", "member", "domain", "relation"})
_WRITTEN = frozenset({"pick a period"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What words are read against."""

    domain: Domain
    today: date


def is_about(slot: str, options: Sequence[Mapping[str, str]], wanted: Sequence[str]) -> bool:
    """Whether a clarification of `slot` is about one of the `wanted` things: a slot, or a dimension whose members are
    asked about or offered."""
    if slot in wanted:
        return True
    dimensions = set(wanted) - _SLOTS
    offered = {option["value"].partition("=")[0] for option in options}
    return slot in ("member", "dimension") and bool(dimensions & (offered | {"item", *dimensions}))


def missing_options(wanted: Sequence[str], options: Sequence[Mapping[str, str]], ground: Ground) -> tuple[str, ...]:
    """Those of `wanted` that no option means. A period can always be written, so picking one is always offered."""
    return tuple(each for each in wanted if each not in _WRITTEN and not any(_means(o, each, ground) for o in options))


def _means(option: Mapping[str, str], wanted: str, ground: Ground) -> bool:
    said = {_key(option["label"]), _key(option["value"]), _key(option["value"].rpartition("=")[2])}
    if said & _names_of(wanted, ground.domain):
        return True
    span = _span(wanted, ground.today)
    return span is not None and span in {_span(option["value"], ground.today), _span(option["label"], ground.today)}


def _names_of(wanted: str, domain: Domain) -> set[str]:
    """The wanted words, and every name of what they name."""
    own = _key(wanted)
    known = [names for names in _named(domain) if own in names]
    return {own}.union(*known)


def _named(domain: Domain) -> Iterator[set[str]]:
    for metric in domain.metrics:
        yield {_key(metric.name), *_all_names(metric.names)}
    for dimension in domain.dimensions:
        yield {_key(dimension.name), *_all_names(dimension.names)}
        for member in dimension.members:
            yield {_key(member.value), *_all_names(member.names)}


def _all_names(names: Names) -> Iterator[str]:
    for locale in LOCALES:
        yield from (_key(text) for text in (names.label.get(locale, ""), *names.synonyms.get(locale, ())) if text)


def _key(text: str) -> str:
    return " ".join(sorted(token.word for part in text.split("_") for token in tokenize(part)))


def _span(words: str, today: date) -> tuple[date | None, date] | None:
    spans = (read_period(words, locale, today) for locale in LOCALES)
    found: Span | None = next((span for span in spans if span is not None), None)
    if found is None:
        return None
    kept = clipped(found, today)
    return kept.start, kept.end
