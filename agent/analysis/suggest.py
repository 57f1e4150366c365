"""Follow-up questions that run as they stand: in catalog words, over sources that can answer them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from math import inf

from agent.errors import SpecNotCompilable
from agent.sql.compile.leaves import leaves_of
from agent.sql.compile.sources import sources_for
from agent.values.outcome import Suggestion
from agent.values.spec import Comparison, Period, QuerySpec
from agent.wording.dates import period_phrase, period_title
from agent.wording.spec_words import dimension_split, members_said, metrics_said, split_said
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale, MetricName, TimeGrain

SUGGESTIONS = 3
_WIDEST_SPLIT = 20
_SHORT, _LONG = 7, 92


def suggest(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[Suggestion, ...]:
    """At most three questions near `spec`: another break-down, its course over time, a comparison, a kindred metric.

    Each is a whole sentence that needs nothing from the thread; none equals the question just answered.
    """
    base = _simplest(spec)
    if base is None or base.period is None:
        return ()
    found: list[Suggestion] = []
    for label, near in _near(base, domain, locale, today):
        question = question_text(near, domain, locale)
        if len(found) < SUGGESTIONS and near != base and _answerable(near, domain, today):
            found.append(Suggestion(label=label, question=question))
    return tuple(found)


def suggest_drill_down(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[Suggestion, ...]:
    """At most three questions for the spec's period against the one before, each split by another dimension."""
    base = _simplest(spec)
    if base is None or base.period is None or base.period.start is None:
        return ()
    earlier = _just_before(base.period, base.period.start)
    found = [
        Suggestion(label=label, question=question_text(near, domain, locale))
        for label, split in other_splits(base, domain, locale, today)
        if _answerable(near := replace(split, comparison=earlier), domain, today)
    ]
    return tuple(found[:SUGGESTIONS])


def suggest_elsewhere(spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[Suggestion, ...]:
    """At most two questions like one that found nothing: over the last whole month, and over the last twelve."""
    base = _simplest(spec)
    if base is None or base.period is None:
        return ()
    last = today.replace(day=1) - timedelta(days=1)
    month = replace(base.period, start=last.replace(day=1), end=last, words="last_month")
    year = _long_enough(replace(base.period, start=last, end=last), "month", today)
    specs = [replace(base, period=period, comparison=None) for period in (month, year)]
    return tuple(
        Suggestion(label=_capital(_when(near.period, locale)[1]), question=question_text(near, domain, locale))
        for near in specs
        if near.period != spec.period and _answerable(near, domain, today)
    )


def question_text(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    """The spec as a question that the interpreter reads: 'Approval rate by card brand, only Visa, last 7 days'."""
    head = _with(metrics_said(spec, domain, locale), split_said(spec, domain, locale), locale)
    members = members_said(spec, domain, locale, most=None)
    against = say(locale, f"suggest.against_{spec.comparison.kind}") if spec.comparison else ""
    phrase, words = _when(spec.period, locale)
    if phrase and not members and not spec.grain:
        return _listed(_with(head, phrase, locale), words, against)
    return _listed(head, *members, phrase, words, against)


def _simplest(spec: QuerySpec) -> QuerySpec | None:
    """The question without what only it asked for: thresholds, calculation, order, limit, chart."""
    if not spec.metrics:
        return None
    return QuerySpec(
        domain=spec.domain,
        metrics=spec.metrics[:1],
        dimensions=spec.dimensions[:1],
        grain=spec.grain,
        filters=spec.filters,
        period=spec.period,
        comparison=spec.comparison,
    )


def _near(base: QuerySpec, domain: Domain, locale: Locale, today: date) -> Iterator[tuple[str, QuerySpec]]:
    splits = other_splits(base, domain, locale, today)
    yield from _first(splits)
    yield from _over_time(base, domain, locale, today)
    yield from _compared(base, locale)
    yield from _kindred(base, domain, locale)
    yield from splits


def _first(items: Iterator[tuple[str, QuerySpec]]) -> Iterator[tuple[str, QuerySpec]]:
    item = next(items, None)
    if item:
        yield item


def other_splits(base: QuerySpec, domain: Domain, locale: Locale, today: date) -> Iterator[tuple[str, QuerySpec]]:
    """Other dimensions: those of the cheapest source first, then those with the fewest members."""
    pinned = {item.dimension for item in base.filters if item.include and len(item.values) == 1}
    offered = [d for d in domain.dimensions if 2 <= d.cardinality <= _WIDEST_SPLIT and not d.sensitive]
    specs = {
        d.name: replace(base, dimensions=(d.name,), grain=None, comparison=None)
        for d in sorted(offered, key=lambda d: d.cardinality)
        if d.name not in (*base.dimensions, *pinned)
    }
    costs = {name: _cost(near, domain, today) for name, near in specs.items()}
    for name, near in sorted(specs.items(), key=lambda item: costs[item[0]]):
        yield _capital(dimension_split(domain, name, locale)), near


def _over_time(base: QuerySpec, domain: Domain, locale: Locale, today: date) -> Iterator[tuple[str, QuerySpec]]:
    if base.grain or base.period is None:
        return
    plain = replace(base, dimensions=(), comparison=None)
    for grain in _grains(base.period):
        near = replace(plain, grain=grain, period=_long_enough(base.period, grain, today))
        if _answerable(near, domain, today):
            yield say(locale, f"suggest.over_time_{grain}"), near
            return


def _compared(base: QuerySpec, locale: Locale) -> Iterator[tuple[str, QuerySpec]]:
    period = base.period
    if base.comparison or period is None or period.start is None:
        return
    label = say(locale, "suggest.compare_previous_period")
    yield label, replace(base, grain=None, comparison=_just_before(period, period.start))


def _kindred(base: QuerySpec, domain: Domain, locale: Locale) -> Iterator[tuple[str, QuerySpec]]:
    """Metrics computed from the same parts, ratios first: they tell why an amount moved."""
    asked = domain.metric(base.metrics[0])
    parts = {leaf.name for leaf in leaves_of(asked, domain)}
    ranked = sorted(domain.metrics, key=lambda metric: metric.kind == "simple")
    for metric in ranked:
        shares = parts & {leaf.name for leaf in leaves_of(metric, domain)}
        if metric.name != asked.name and shares:
            near = replace(base, metrics=(MetricName(metric.name),), comparison=None)
            yield metric.names.in_locale(locale), near


def _answerable(spec: QuerySpec, domain: Domain, today: date) -> bool:
    return _is_of_one_kind(spec, domain) and _cost(spec, domain, today) < inf


def _is_of_one_kind(spec: QuerySpec, domain: Domain) -> bool:
    """Whether no metric would add up unlike things: such a question is asked back and does not run as it stands."""
    used = {*spec.dimensions, *(item.dimension for item in spec.filters if item.include)}
    needed = [domain.metric(name).needs_one_of for name in spec.metrics]
    return all(not one_of or used & set(one_of) for one_of in needed)


def _cost(spec: QuerySpec, domain: Domain, today: date) -> float:
    """The rank of the cheapest source; infinite where no source can answer."""
    try:
        sources = sources_for(spec, domain, today)
    except SpecNotCompilable:
        return inf
    return sources[0].cost_rank if sources else inf


def _grains(period: Period) -> tuple[TimeGrain, ...]:
    days = (period.end - period.start).days + 1 if period.start else _LONG + 1
    return ("month", "day") if days > _LONG else ("day", "month")


def _long_enough(period: Period, grain: TimeGrain, today: date) -> Period:
    """The period itself, or a longer one that ends with the data where it has too few buckets for a line."""
    days = (period.end - period.start).days + 1 if period.start else _LONG + 1
    last_day = today - timedelta(days=1)
    if grain == "day" and days < _SHORT:
        return replace(period, start=last_day - timedelta(days=29), end=last_day, words="last_30_days")
    if grain == "month" and days <= _LONG:
        end = today.replace(day=1) - timedelta(days=1)
        start = today.replace(year=today.year - 1, day=1)
        return replace(period, start=start, end=end, words="last_12_months")
    return period


def _just_before(period: Period, start: date) -> Comparison:
    """As many days just before. Only the kind is said; the interpreter works the exact dates out from the question."""
    length = period.end - start
    earlier = replace(period, start=start - length - timedelta(days=1), end=start - timedelta(days=1), words="range")
    return Comparison(kind="previous_period", period=earlier)


def _when(period: Period | None, locale: Locale) -> tuple[str, str]:
    """The period as part of the sentence, or as words that stand by themselves ('last 7 days')."""
    if period is None:
        return "", ""
    return (period_phrase(period, locale), "") if period.words == "range" else ("", period_title(period, locale))


def _with(head: str, tail: str, locale: Locale) -> str:
    return say(locale, "receipt.title_split", subject=head, split=tail) if tail else head


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
