"""Finds what a catalog offers near some words: names, synonyms and example questions, typing errors forgiven."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from rapidfuzz import fuzz

from semantic_catalog.model import Catalog, Dimension, DimensionName, Domain, DomainName, Locale, Names
from semantic_catalog.words import fold_phrase

HitKind = Literal["metric", "dimension", "member", "entity", "example"]

_KINDS: tuple[HitKind, ...] = get_args(HitKind)
_NEAR = 75.0
# Words that are only a part of a name ('decline' of 'decline rate') count less than a whole name.
_PART_OF_NAME = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing that was found. `name` is the catalog's (of a member its stored value, of an example its question).

    `matched` is the name, synonym or question that was nearest; `score` runs 0–100, 100 for equal words.
    """

    kind: HitKind
    domain: DomainName
    name: str
    label: str
    matched: str
    score: float
    dimension: DimensionName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    kind: HitKind
    domain: DomainName
    name: str
    label: str
    phrases: tuple[str, ...]
    dimension: DimensionName | None = None


def search_catalog(catalog: Catalog, words: str, locale: Locale, limit: int = 10) -> tuple[Hit, ...]:
    """The things nearest to `words`, best first, at most `limit`; none when nothing is near. The order is total."""
    query = fold_phrase(words).split()
    if not query:
        return ()
    targets = [target for domain in catalog.domains for target in _targets(domain, locale)]
    hits = [hit for target in targets if (hit := _best(target, query)) is not None]
    return tuple(sorted(hits, key=_rank)[:limit])


def _rank(hit: Hit) -> tuple[float, int, int, str, str, str]:
    matched_words = len(hit.matched.split())
    return -hit.score, -matched_words, _KINDS.index(hit.kind), hit.domain, hit.dimension or "", hit.name


def _best(target: _Target, query: list[str]) -> Hit | None:
    score_of = _question_score if target.kind == "example" else _name_score
    scored = [(score_of(fold_phrase(phrase).split(), query), len(phrase.split()), phrase) for phrase in target.phrases]
    score, _, matched = max(scored)
    if score < _NEAR:
        return None
    return Hit(
        kind=target.kind,
        domain=target.domain,
        name=target.name,
        label=target.label,
        matched=matched,
        score=round(score, 1),
        dimension=target.dimension,
    )


def _name_score(name: list[str], query: list[str]) -> float:
    if len(query) >= len(name):
        return _nearest_window(name, query)
    return _nearest_window(query, name) * _PART_OF_NAME


def _nearest_window(short: list[str], long: list[str]) -> float:
    wanted = " ".join(short)
    windows = (" ".join(long[start : start + len(short)]) for start in range(len(long) - len(short) + 1))
    return max((fuzz.ratio(wanted, window) for window in windows), default=0.0)


def _question_score(question: list[str], query: list[str]) -> float:
    return fuzz.token_sort_ratio(" ".join(question), " ".join(query))


def _targets(domain: Domain, locale: Locale) -> Iterator[_Target]:
    for metric in domain.metrics:
        yield _target("metric", domain, metric.name, metric.names, locale)
    for dimension in domain.dimensions:
        yield _target("dimension", domain, dimension.name, dimension.names, locale)
        yield from _member_targets(domain, dimension, locale)
    for entity in domain.entities:
        yield _target("entity", domain, entity.name, entity.names, locale)
    for example in domain.examples:
        if example.locale == locale:
            asked = example.question
            yield _Target(kind="example", domain=domain.name, name=asked, label=asked, phrases=(asked,))


def _member_targets(domain: Domain, dimension: Dimension, locale: Locale) -> Iterator[_Target]:
    for member in dimension.members:
        yield _target("member", domain, member.value, member.names, locale, dimension.name)


def _target(
    kind: HitKind, domain: Domain, name: str, names: Names, locale: Locale, dimension: DimensionName | None = None
) -> _Target:
    label = names.in_locale(locale)
    phrases = tuple(phrase for phrase in (label, name, *names.synonyms.get(locale, ())) if fold_phrase(phrase))
    return _Target(kind=kind, domain=domain.name, name=name, label=label, phrases=phrases, dimension=dimension)
