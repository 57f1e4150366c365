"""What the sources of a domain can answer: which measures a metric comes down to and which entities give them."""

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from semantic_catalog.model import (
    DimensionName,
    Domain,
    Entity,
    EntityName,
    MeasureName,
    Metric,
    MetricName,
    TimeGrain,
)

# Finest first. A source of one grain answers that grain and every coarser one; weeks do not add up to months.
_COARSER: dict[TimeGrain, tuple[TimeGrain, ...]] = {
    "day": ("day", "week", "month", "quarter", "year"),
    "week": ("week",),
    "month": ("month", "quarter", "year"),
    "quarter": ("quarter", "year"),
    "year": ("year",),
}


def parts_of(metric: Metric) -> tuple[MetricName, ...]:
    """The metrics that a ratio or derived metric is made of, in the order written; none for the other kinds.

    Raises `sqlglot.errors.ParseError` when a derived expression is not an expression.
    """
    if metric.kind == "ratio":
        return tuple(name for name in (metric.numerator, metric.denominator) if name is not None)
    if metric.kind == "derived" and metric.expression is not None:
        tree = sqlglot.parse_one(metric.expression)
        return tuple(dict.fromkeys(MetricName(column.name) for column in tree.find_all(exp.Column)))
    return ()


def measures_of(domain: Domain, name: MetricName) -> tuple[MeasureName, ...]:
    """The measures that a metric comes down to, each once. The metric's parts must exist and not be circular."""
    metric = domain.metric(name)
    if metric.measure is not None:
        return (metric.measure,)
    return tuple(dict.fromkeys(measure for part in parts_of(metric) for measure in measures_of(domain, part)))


def related(domain: Domain, entity: EntityName) -> Iterator[Entity]:
    """The entity itself, then all that it joins without repeating its own rows, nearest first."""
    entities = {known.name: known for known in domain.entities}
    reached = [entity]
    for current in reached:
        yield entities[current]
        reached.extend(right for right in _joined(domain, current) if right in entities and right not in reached)


def _joined(domain: Domain, left: EntityName) -> Iterator[EntityName]:
    for relationship in domain.relationships:
        if relationship.left == left and relationship.cardinality != "many_to_many":
            yield relationship.right


def dimensions_of(domain: Domain, entity: EntityName) -> frozenset[DimensionName]:
    """The dimensions an entity can be split by, its own and those of what it joins."""
    return frozenset(own.dimension for source in related(domain, entity) for own in source.dimensions)


def grains_of(entity: Entity) -> tuple[TimeGrain, ...]:
    """The time grains an entity's rows can be put into; none without a time column."""
    return _COARSER[entity.time.grain] if entity.time else ()


def sources_of(
    domain: Domain, measure: MeasureName, dimensions: frozenset[DimensionName], grain: TimeGrain | None = None
) -> tuple[Entity, ...]:
    """The entities that give a measure by those dimensions and that grain, the cheapest first."""
    able = [
        entity
        for entity in domain.entities
        if entity.measure(measure)
        and dimensions <= dimensions_of(domain, entity.name)
        and (grain is None or grain in grains_of(entity))
    ]
    return tuple(sorted(able, key=lambda entity: (entity.cost_rank, entity.name)))


def can_answer(
    domain: Domain, name: MetricName, dimensions: frozenset[DimensionName], grain: TimeGrain | None = None
) -> bool:
    """Whether a metric can be split or filtered by all of those dimensions at once, at that grain."""
    metric = domain.metric(name)
    parts = parts_of(metric)
    allowed = metric.dimensions is None or dimensions <= set(metric.dimensions)
    if not allowed or (metric.grains is not None and grain is not None and grain not in metric.grains):
        return False
    if metric.measure is not None:
        return bool(sources_of(domain, metric.measure, dimensions, grain))
    return all(can_answer(domain, part, dimensions, grain) for part in parts)
