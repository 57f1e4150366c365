"""What a restriction of the asker keeps from them, told from the spec before it is SQL, and what to ask instead."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from agent.errors import SpecNotCompilable
from agent.sql.compile.leaves import leaves_of, metric_of
from agent.sql.compile.sources import sources_for, wanted_metrics
from agent.values.identity import Principal
from agent.values.spec import MemberFilter, QuerySpec
from semantic_catalog.model import Dimension, DimensionName, Domain, Measure, Metric, MetricName

Restrictions = frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """Part of a question that the asker may not see: a `metric` because it needs another one, or `members` by name.

    `offers` are questions near it that they may ask, nearest first; they run as they stand.
    """

    metric: MetricName | None = None
    needs: MetricName | None = None
    dimension: DimensionName | None = None
    members: tuple[str, ...] = ()
    offers: tuple[QuerySpec, ...] = ()


def withheld_from(principal: Principal, spec: QuerySpec, domain: Domain, today: date) -> Withheld | None:
    """The first thing in `spec` that a restriction of `principal` hides; None when there is nothing.

    Raises `SpecNotCompilable` when the spec names a metric that the domain has not.
    """
    found = _withheld(principal, spec, domain)
    if found is None:
        return None
    return replace(found, offers=tuple(_offers(found, principal, spec, domain, today)))


def hidden_part(metric: MetricName, domain: Domain, kept: Restrictions) -> MetricName | None:
    """The first thing in the metric that one of these restrictions always hides, whatever the question filters by."""
    for leaf in leaves_of(metric_of(domain, metric), domain):
        measures = (entity.measure(leaf.measure) for entity in domain.entities if leaf.measure)
        if any(measure.filter and measure.restriction in kept for measure in measures if measure):
            return leaf.name
    return None


def open_instead(metric: MetricName, domain: Domain, kept: Restrictions) -> MetricName | None:
    """The nearest metric that these restrictions leave open, as the catalog offers it in the place of `metric`."""
    offered = _offered(metric, domain)
    return next((name for name in offered if hidden_part(name, domain, kept) is None), None)


def _withheld(principal: Principal, spec: QuerySpec, domain: Domain) -> Withheld | None:
    kept = frozenset(principal.restrictions)
    if not kept:
        return None
    for wanted in spec.filters:
        hidden = hidden_members(domain.dimension(wanted.dimension), kept)
        named = tuple(value for value in wanted.values if value in hidden)
        if wanted.include and named:
            return Withheld(dimension=wanted.dimension, members=named)
    for name in wanted_metrics(spec, domain):
        for leaf in leaves_of(metric_of(domain, name), domain):
            if _shows_hidden(leaf, kept, spec, domain):
                return Withheld(metric=name, needs=leaf.name)
    return None


def _shows_hidden(leaf: Metric, kept: Restrictions, spec: QuerySpec, domain: Domain) -> bool:
    """Whether a simple metric of the question counts rows that one of these restrictions hides."""
    measures = (entity.measure(leaf.measure) for entity in domain.entities if leaf.measure)
    return any(
        measure.restriction in kept and not _is_left_out(measure, kept, spec, domain) for measure in measures if measure
    )


def hidden_members(dimension: Dimension, kept: Restrictions) -> tuple[str, ...]:
    """The members that the catalog puts under one of these restrictions."""
    return tuple(member.value for member in dimension.members if member.restriction in kept)


def _is_left_out(measure: Measure, kept: Restrictions, spec: QuerySpec, domain: Domain) -> bool:
    """Whether the question keeps all that is hidden out of a measure that holds more than it."""
    return measure.filter is None and any(_leaves_out(f, kept, domain) for f in spec.filters)


def _leaves_out(wanted: MemberFilter, kept: Restrictions, domain: Domain) -> bool:
    dimension = domain.dimension(wanted.dimension)
    hidden = hidden_members(dimension, kept)
    if not wanted.include:
        return bool(hidden) and set(hidden) <= set(wanted.values)
    # Of members that only the warehouse knows, row rules leave those that may be seen.
    return bool(hidden) or dimension.members_from == "warehouse"


def _offers(found: Withheld, principal: Principal, spec: QuerySpec, domain: Domain, today: date) -> Iterator[QuerySpec]:
    for name in _instead(found, spec, domain):
        near = _nearest(name, principal, spec, domain)
        if near != spec and _withheld(principal, near, domain) is None and _is_answerable(near, domain, today):
            yield near


def _instead(found: Withheld, spec: QuerySpec, domain: Domain) -> tuple[MetricName, ...]:
    return spec.metrics[:1] if found.metric is None else _offered(found.metric, domain)


def _offered(name: MetricName, domain: Domain) -> tuple[MetricName, ...]:
    """The metrics that the catalog offers; for a view of a metric, the same view of what it offers."""
    metric = domain.metric(name)
    if metric.instead or metric.view_of is None:
        return metric.instead
    offered = domain.metric(metric.view_of).instead
    views = {known.view_of: known.name for known in domain.metrics if known.view == metric.view and known.view_of}
    return tuple(views.get(each, each) for each in offered)


def _nearest(name: MetricName, principal: Principal, spec: QuerySpec, domain: Domain) -> QuerySpec:
    """The question about that metric, without what is hidden in it and without conditions on what was asked."""
    metric, kept = domain.metric(name), frozenset(principal.restrictions)
    filters = tuple(f for f in spec.filters if not (f.include and _names_hidden(f, kept, domain)))
    near = replace(
        spec, metrics=(name,), filters=filters, having=(), order=(), limit=None, calculation=None, trusted_query=None
    )
    if not any(_shows_hidden(leaf, kept, near, domain) for leaf in leaves_of(metric, domain)):
        return near
    split = next((d for d in metric.needs_one_of if hidden_members(domain.dimension(d), kept)), None)
    if split is None:
        return near
    left_out = MemberFilter(dimension=split, values=hidden_members(domain.dimension(split), kept), include=False)
    dimensions = spec.dimensions if set(spec.dimensions) & set(metric.needs_one_of) else (split,)
    return replace(near, dimensions=dimensions, filters=(*filters, left_out))


def _names_hidden(wanted: MemberFilter, kept: Restrictions, domain: Domain) -> bool:
    return bool(set(wanted.values) & set(hidden_members(domain.dimension(wanted.dimension), kept)))


def _is_answerable(spec: QuerySpec, domain: Domain, today: date) -> bool:
    try:
        return bool(sources_for(spec, domain, today))
    except SpecNotCompilable:
        return False
