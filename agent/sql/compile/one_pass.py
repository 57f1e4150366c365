"""Metrics of one entity in one pass over its rows, grouped by the keys."""

from collections.abc import Mapping

from sqlglot import exp

from agent.sql.compile.leaves import formula, named
from agent.sql.compile.plan import Plan
from agent.sql.compile.rows import (
    Rows,
    aggregate,
    dimension_column,
    in_period,
    label_column,
    measured_conditions,
    read_from,
    required_conditions,
    rows_of,
    time_bucket,
    with_members,
)
from agent.sql.compile.slices import Slice, hull
from agent.sql.compile.sources import Source
from agent.sql.compile.stack import Measured
from semantic_catalog.model import Metric


def metrics_in_one_pass(plan: Plan, source: Source, slices: tuple[Slice, ...]) -> Measured:
    """Every metric of every slice; what only one slice keeps is a condition inside its aggregates."""
    rows = _rows(plan, source, slices)
    values = {
        f"{name}{item.suffix}": _value(plan, rows, name, _own_condition(rows, item, slices))
        for item in slices
        for name in plan.measured
    }
    select = _without_empty_total(plan, _grouped(plan, rows, slices, values), values)
    return Measured(ctes=(), select=select, values=values)


def leaves_in_one_pass(plan: Plan, source: Source, item: Slice) -> Measured:
    """Only the simple metrics that this source gives, to be combined with those of other sources."""
    rows = _rows(plan, source, (item,))
    values = {str(leaf.name): aggregate(rows, leaf) for leaf in source.leaves}
    return Measured(ctes=(), select=_grouped(plan, rows, (item,), values), values=values)


def _rows(plan: Plan, source: Source, slices: tuple[Slice, ...]) -> Rows:
    filtered = (wanted.dimension for item in slices for wanted in item.filters)
    dimensions = tuple(dict.fromkeys((*plan.spec.dimensions, *filtered)))
    return rows_of(source.entity, plan.domain, dimensions, source.leaves)


def _value(plan: Plan, rows: Rows, name: str, condition: exp.Expr | None) -> exp.Expr:
    def leaf(metric: Metric) -> exp.Expr:
        value = aggregate(rows, metric, condition)
        return _cumulated(plan, rows, value) if metric.kind == "cumulative" else value

    return formula(plan.metric(name), plan.domain, leaf)


def _cumulated(plan: Plan, rows: Rows, value: exp.Expr) -> exp.Expr:
    if plan.spec.grain is None:
        return value
    return exp.Window(
        this=exp.Sum(this=value),
        partition_by=[dimension_column(rows, name) for name in plan.spec.dimensions],
        order=exp.Order(expressions=[time_bucket(rows, plan.spec.grain, None)]),
    )


def _grouped(plan: Plan, rows: Rows, slices: tuple[Slice, ...], values: Mapping[str, exp.Expr]) -> exp.Select:
    keys = _key_columns(plan, rows, slices[0])
    columns = [named(value, name) for name, value in (*keys.items(), *values.items())]
    select = read_from(exp.select(*columns), rows).where(*_shared_conditions(rows, slices))
    return select.group_by(*(value.copy() for value in keys.values()))


def _key_columns(plan: Plan, rows: Rows, item: Slice) -> dict[str, exp.Expr]:
    grain = plan.spec.grain
    columns: dict[str, exp.Expr] = {grain: time_bucket(rows, grain, item.shift)} if grain else {}
    for dimension in plan.spec.dimensions:
        columns[dimension] = dimension_column(rows, dimension)
        columns |= {label: label_column(rows, dimension) for label in plan.label_of(dimension)}
    return columns


def _shared_conditions(rows: Rows, slices: tuple[Slice, ...]) -> list[exp.Expr]:
    shared = tuple(wanted for wanted in slices[0].filters if all(wanted in item.filters for item in slices))
    conditions = [with_members(rows, wanted) for wanted in shared] + required_conditions(rows, shared)
    conditions += measured_conditions(rows)
    period = hull(slices)
    return [in_period(rows, period), *conditions] if period else conditions


def _own_condition(rows: Rows, item: Slice, slices: tuple[Slice, ...]) -> exp.Expr | None:
    own = (wanted for wanted in item.filters if any(wanted not in other.filters for other in slices))
    conditions = [with_members(rows, wanted) for wanted in own]
    if item.period and item.period != hull(slices):
        conditions.append(in_period(rows, item.period))
    return exp.and_(*conditions) if conditions else None


def _without_empty_total(plan: Plan, select: exp.Select, values: Mapping[str, exp.Expr]) -> exp.Select:
    """A total over no rows at all is no row: sums filled with zeros would otherwise report a zero."""
    derived = any(plan.metric(name).kind == "derived" for name in plan.measured)
    if plan.keys or not derived:
        return select
    found = [leaf.copy() for value in values.values() for leaf in value.find_all(exp.AggFunc)]
    return select.having(exp.Coalesce(this=found[0], expressions=found[1:]).is_(exp.null()).not_())
