"""From one question to the next: the operations that lead there."""

from collections.abc import Iterator

from agent.values.feedback import Operation
from agent.values.spec import MemberFilter, QuerySpec
from semantic_catalog.model import DimensionName


def operations_between(before: QuerySpec, after: QuerySpec) -> tuple[Operation, ...]:
    """Every operation, in the order a person reads a question; none where both ask the same.

    What no operation says (another domain, calculation, condition or comparison) is a `semantic_regeneration`.
    """
    steps = (_metrics, _grouping, _filters, _window, _order, _limit, _source, _rest)
    return tuple(operation for step in steps for operation in step(before, after))


def _metrics(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    gone = tuple(name for name in before.metrics if name not in after.metrics)
    come = tuple(name for name in after.metrics if name not in before.metrics)
    if gone and come:
        yield Operation(name="replace_metric", metrics=come, without_metrics=gone)
    elif come:
        yield Operation(name="add_metric", metrics=come)
    elif gone:
        yield Operation(name="remove_metric", without_metrics=gone)


def _grouping(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    gone = tuple(name for name in before.dimensions if name not in after.dimensions)
    come = tuple(name for name in after.dimensions if name not in before.dimensions)
    if before.grain != after.grain or (gone and come):
        yield Operation(name="change_grouping", dimensions=come, without_dimensions=gone, grain=after.grain)
    elif come:
        yield Operation(name="add_dimension", dimensions=come, grain=after.grain)
    elif gone:
        yield Operation(name="remove_dimension", without_dimensions=gone, grain=after.grain)


def _filters(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    old, new = _by_dimension(before), _by_dimension(after)
    yield from (Operation(name="remove_filter", filter=old[name]) for name in old if name not in new)
    yield from (Operation(name="add_filter", filter=new[name]) for name in new if name not in old)
    both = (name for name in new if name in old and old[name] != new[name])
    yield from (Operation(name="replace_filter", filter=new[name]) for name in both)


def _by_dimension(spec: QuerySpec) -> dict[DimensionName, MemberFilter]:
    return {item.dimension: item for item in spec.filters}


def _window(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    if before.period != after.period:
        yield Operation(name="change_time_window", period=after.period)


def _order(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    if before.order != after.order:
        yield Operation(name="change_order", order=after.order)


def _limit(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    if before.limit != after.limit:
        yield Operation(name="set_limit", limit=after.limit)


def _source(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    if after.entity is not None and before.entity != after.entity:
        yield Operation(name="replace_source", source=after.entity)


def _rest(before: QuerySpec, after: QuerySpec) -> Iterator[Operation]:
    kept = [(s.domain, s.calculation, s.having, s.comparison.kind if s.comparison else None) for s in (before, after)]
    if kept[0] != kept[1]:
        yield Operation(name="semantic_regeneration")
