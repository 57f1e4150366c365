"""Which governed entities answer a question: the cheapest one that holds all of it, else one for each number."""

from dataclasses import dataclass
from datetime import date, timedelta

from agent.errors import SpecNotCompilable
from agent.sql.compile.leaves import leaves_of, metric_of, unique
from agent.sql.compile.relations import dimension_home
from agent.sql.compile.slices import slices_of
from agent.values.spec import Period, QuerySpec
from semantic_catalog.model import DimensionName, Domain, Entity, EntityName, Metric, MetricName, TimeGrain

_GRAINS: tuple[TimeGrain, ...] = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a source must hold: metrics, dimensions to split and filter by, the bucket and the periods read.

    `periods` None leaves time out of it. `today` tells a period cut by the end of the data from one cut on purpose.
    """

    metrics: tuple[MetricName, ...]
    dimensions: tuple[DimensionName, ...]
    grain: TimeGrain | None = None
    periods: tuple[Period | None, ...] | None = None
    entity: EntityName | None = None
    today: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An entity and the simple metrics read from it."""

    entity: Entity
    leaves: tuple[Metric, ...]


def sources_for(spec: QuerySpec, domain: Domain, today: date | None = None) -> tuple[Entity, ...]:
    """The entities that can each answer alone, cheapest first; else those that answer together; else none.

    Without `today`, a period that ends inside a month counts as not covering that month.
    """
    demand = demand_of(spec, domain, today)
    candidates = _candidates(demand, domain)
    assigned = _assigned(demand, domain, candidates)
    if len(assigned) != 1:
        return tuple(source.entity for source in assigned)
    if spec.entity:
        return (assigned[0].entity,)
    return tuple(entity for entity in candidates if _gives_all(entity, assigned[0].leaves))


def can_answer(
    metrics: tuple[MetricName, ...], dimensions: tuple[DimensionName, ...], grain: TimeGrain | None, domain: Domain
) -> bool:
    """Whether governed entities give the metrics by these dimensions and buckets, over some period."""
    try:
        return bool(assign(Demand(metrics=metrics, dimensions=dimensions, grain=grain), domain))
    except SpecNotCompilable:
        return False


def demand_of(spec: QuerySpec, domain: Domain, today: date | None) -> Demand:
    """All that the question needs of its sources, thresholds, sort keys and counted members included."""
    dimensions = (*spec.dimensions, *_counted(spec), *(item.dimension for item in spec.filters))
    return Demand(
        metrics=wanted_metrics(spec, domain),
        dimensions=tuple(dict.fromkeys(dimensions)),
        grain=spec.grain,
        periods=tuple(item.period for item in slices_of(spec)),
        entity=spec.entity,
        today=today,
    )


def wanted_metrics(spec: QuerySpec, domain: Domain) -> tuple[MetricName, ...]:
    """The metrics asked for, then those that only thresholds and sort keys mention."""
    known = {metric.name for metric in domain.metrics}
    sorted_by = (MetricName(item.by) for item in spec.order if item.by in known and item.by not in spec.dimensions)
    return tuple(dict.fromkeys((*spec.metrics, *(item.metric for item in spec.having), *sorted_by)))


def assign(demand: Demand, domain: Domain) -> tuple[Source, ...]:
    """The sources to read and what from each; empty when the governed entities cannot give it.

    A pinned entity must give part of the answer; what it lacks comes from the cheapest entity that has it.
    """
    return _assigned(demand, domain, _candidates(demand, domain))


def _assigned(demand: Demand, domain: Domain, candidates: tuple[Entity, ...]) -> tuple[Source, ...]:
    leaves = leaves_in(demand.metrics, domain)
    if not _metrics_allow(demand, domain) or not candidates:
        return ()
    pinnable = candidates[:1] if demand.entity else candidates
    alone = next((entity for entity in pinnable if _gives_all(entity, leaves)), None)
    if alone:
        return (Source(entity=alone, leaves=leaves),)
    return _spread(leaves, candidates, demand.entity)


def leaves_in(metrics: tuple[MetricName, ...], domain: Domain) -> tuple[Metric, ...]:
    """The simple metrics behind `metrics`, each once."""
    return unique(leaf for name in metrics for leaf in leaves_of(metric_of(domain, name), domain))


def _spread(
    leaves: tuple[Metric, ...], candidates: tuple[Entity, ...], pinned: EntityName | None
) -> tuple[Source, ...]:
    homes = {leaf.name: next((e for e in candidates if _gives(e, leaf)), None) for leaf in leaves}
    entities = unique(home for home in homes.values() if home)
    if None in homes.values() or (pinned and all(entity.name != pinned for entity in entities)):
        return ()
    return tuple(
        Source(entity=entity, leaves=tuple(leaf for leaf in leaves if homes[leaf.name] is entity))
        for entity in entities
    )


def _candidates(demand: Demand, domain: Domain) -> tuple[Entity, ...]:
    leaves = leaves_in(demand.metrics, domain)
    giving = (e for e in domain.entities if not leaves or any(_gives(e, leaf) for leaf in leaves))
    ordered = sorted(giving, key=lambda e: (e.name != demand.entity, e.cost_rank, e.name))
    fitting = tuple(entity for entity in ordered if _fits(entity, demand, domain))
    pinned_fits = bool(fitting) and fitting[0].name == demand.entity
    return fitting if demand.entity is None or pinned_fits else ()


def _fits(entity: Entity, demand: Demand, domain: Domain) -> bool:
    has_dimensions = all(dimension_home(entity, domain, name) for name in demand.dimensions)
    has_grain = demand.grain is None or _buckets_to(entity, demand.grain)
    return has_dimensions and has_grain and _holds_periods(entity, demand)


def _buckets_to(entity: Entity, grain: TimeGrain) -> bool:
    return entity.time is not None and _GRAINS.index(entity.time.grain) <= _GRAINS.index(grain)


def _holds_periods(entity: Entity, demand: Demand) -> bool:
    return demand.periods is None or all(_holds(entity, period, demand.today) for period in demand.periods)


def _holds(entity: Entity, period: Period | None, today: date | None) -> bool:
    if period is None:
        return not entity.time_policy.required
    if entity.time is None:
        return False
    widest = entity.time_policy.max_days
    if widest is not None and (period.start is None or (period.end - period.start).days + 1 > widest):
        return False
    return entity.time.grain == "day" or _whole_months(period, today)


def _whole_months(period: Period, today: date | None) -> bool:
    """Whether months hold exactly the period. After yesterday there are no rows, so the last month may be cut there."""
    starts_month = period.start is None or period.start.day == 1
    ends_month = (period.end + timedelta(days=1)).day == 1
    ends_with_data = today is not None and period.end >= today - timedelta(days=1)
    return starts_month and (ends_month or ends_with_data)


def _metrics_allow(demand: Demand, domain: Domain) -> bool:
    metrics = tuple(metric_of(domain, name) for name in demand.metrics)
    dimensions = all(m.dimensions is None or set(demand.dimensions) <= set(m.dimensions) for m in metrics)
    grains = all(m.grains is None or demand.grain is None or demand.grain in m.grains for m in metrics)
    return dimensions and grains


def _gives(entity: Entity, leaf: Metric) -> bool:
    return leaf.measure is not None and entity.measure(leaf.measure) is not None


def _gives_all(entity: Entity, leaves: tuple[Metric, ...]) -> bool:
    return all(_gives(entity, leaf) for leaf in leaves)


def _counted(spec: QuerySpec) -> tuple[DimensionName, ...]:
    calculation = spec.calculation
    return (calculation.over,) if calculation and calculation.over else ()
