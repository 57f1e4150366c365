"""The catalog's written meanings as specs: trusted queries and examples."""

from dataclasses import replace
from datetime import date
from functools import cache

from agent.understanding.calendar import Span
from agent.understanding.comparisons import previous_period, previous_year
from agent.understanding.lexicon import Key, Lexicon, Term
from agent.understanding.mentions import read_mentions
from agent.understanding.periods import parse_period, to_period
from agent.understanding.tokens import tokenize
from agent.values.spec import Comparison, MemberFilter, OrderBy, Period, QuerySpec
from semantic_catalog.errors import CatalogError
from semantic_catalog.model import LOCALES, Domain, Locale, SpecTemplate, TrustedQuery


def resolve_template(template: SpecTemplate, domain: Domain, today: date) -> QuerySpec:
    """The template's question asked today. Raises `CatalogError` when its period is not in words that we read."""
    period = to_period(_span(template.period, today), domain.timezone) if template.period else None
    order = () if template.descending is None else (OrderBy(by=template.metrics[0], descending=template.descending),)
    return QuerySpec(
        domain=domain.name,
        metrics=template.metrics,
        dimensions=template.dimensions,
        grain=template.grain,
        filters=tuple(MemberFilter(dimension=name, values=values) for name, values in template.filters),
        period=period,
        comparison=_comparison(template, period),
        order=order,
        limit=template.limit,
    )


def _comparison(template: SpecTemplate, period: Period | None) -> Comparison | None:
    if period is None or template.comparison is None:
        return None
    return previous_period(period) if template.comparison == "previous_period" else previous_year(period)


def read_period(words: str, locale: Locale, today: date) -> Span | None:
    """The period in these words, of which nothing but the time is read."""
    return parse_period(read_mentions(tokenize(words), _no_names(), locale), today)


def _span(words: str, today: date) -> Span:
    span = read_period(words, "en", today)
    if span is None:
        raise CatalogError(f"a template's period is not understood: {words}")
    return span


@cache
def _no_names() -> Lexicon:
    none: dict[Locale, frozenset[str]] = {locale: frozenset() for locale in LOCALES}
    stems: dict[Locale, dict[Key, tuple[Term, ...]]] = {locale: {} for locale in LOCALES}
    parts: dict[Locale, dict[str, tuple[Term, ...]]] = {locale: {} for locale in LOCALES}
    return Lexicon(
        stems=stems,
        exact={},
        labels=frozenset(),
        label_stems={locale: frozenset() for locale in LOCALES},
        words=frozenset(),
        member_words=frozenset(),
        stem_words=none,
        subject=none,
        parts=parts,
    )


def asked_as_written(text: str, domain: Domain) -> TrustedQuery | None:
    """The trusted query that is signed with these very words, case, accents and punctuation aside."""
    words = _words(text)
    for query in domain.trusted_queries:
        if any(_words(question) == words for questions in query.questions.values() for question in questions):
            return query
    return None


def _words(text: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokenize(text))


def with_trust(spec: QuerySpec, domain: Domain, today: date) -> QuerySpec:
    """The spec, with the name of the trusted query that it equals; how its period was said does not matter."""
    asked = _plain(replace(spec, chart=None))
    for query in domain.trusted_queries:
        if _plain(resolve_template(query.spec, domain, today)) == asked:
            return replace(spec, trusted_query=query.name)
    return spec


def _plain(spec: QuerySpec) -> QuerySpec:
    """The question alone: however its period was said, and without a sort order that is the usual one."""
    period = replace(spec.period, words="range") if spec.period else None
    largest_first = (OrderBy(by=spec.metrics[0], descending=True),)
    natural = spec.order == largest_first and spec.grain is None and spec.limit is None
    return replace(spec, period=period, trusted_query=None, order=() if natural else spec.order)
