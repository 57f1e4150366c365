"""The metrics at the grain asked for: one pass over one entity, or several aggregates stacked on their shared keys.

Entities never meet row by row. Each is aggregated to the keys first, so no join can multiply a number, and a member
that only one of them knows keeps its row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from agent.sql.compile.leaves import formula, grouped, named, quotient, zero_filled
from agent.sql.compile.leaves import is_additive as adds_up
from agent.sql.compile.plan import Plan
from agent.sql.compile.rows import (
    Rows,
    aggregate,
    dimension_column,
    in_period,
    label_column,
    read_from,
    required_conditions,
    rows_of,
    time_bucket,
    with_members,
)
from agent.sql.compile.slices import PREVIOUS, Slice, hull, mergeable
from agent.sql.compile.sources import Source
from semantic_catalog.model import DimensionName, Metric

Cte = tuple[str, exp.Query]
_SLICE_NAMES = {"": "asked", PREVIOUS: "earlier"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A select of keys, labels and measured columns, and the CTEs it needs.

    `values` gives each measured column as an expression that HAVING may use; they are empty of aliases.
    """

    ctes: tuple[Cte, ...]
    select: exp.Select
    values: Mapping[str, exp.Expr]


def measure(plan: Plan) -> Measured:
    """Every slice's columns side by side, a row for each combination of keys that any slice has."""
    alone = len(plan.sources) == 1 and plan.counted is None
    if alone and mergeable(plan.slices):
        return _one_pass(plan, plan.sources[0], plan.slices)
    measured = {item.suffix: _slice(plan, item) for item in plan.slices}
    if len(measured) == 1:
        return next(iter(measured.values()))
    layers = [
        _Layer(name=_SLICE_NAMES.get(suffix, "whole"), measured=item, columns=tuple(item.values))
        for suffix, item in measured.items()
    ]
    return _stacked("side_by_side", plan, layers)


def columns_of(plan: Plan, item: Slice) -> tuple[str, ...]:
    """The measured columns of a slice."""
    names = plan.shown if plan.counted else plan.measured
    return tuple(f"{name}{item.suffix}" for name in names)


def thresholds(plan: Plan, value: Callable[[str], exp.Expr]) -> list[exp.Expr]:
    """The spec's conditions on aggregated metrics."""
    operators: dict[str, type[exp.Binary]] = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "=": exp.EQ}
    return [
        operators[item.operator](this=grouped(value(item.metric)), expression=exp.convert(item.value))
        for item in plan.spec.having
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    name: str
    measured: Measured
    columns: tuple[str, ...]


def _slice(plan: Plan, item: Slice) -> Measured:
    if plan.counted:
        return _count_members(plan, item, plan.counted)
    if len(plan.sources) == 1:
        return _one_pass(plan, plan.sources[0], (item,))
    return _combined(plan, item, plan.spec.dimensions)


def _one_pass(
    plan: Plan, source: Source, slices: tuple[Slice, ...], dimensions: tuple[DimensionName, ...] | None = None
) -> Measured:
    keys = plan.spec.dimensions if dimensions is None else dimensions
    rows = _rows(plan, source, keys, slices)
    values = {
        f"{name}{item.suffix}": _value(plan, rows, name, _own_condition(rows, item, slices), keys)
        for item in slices
        for name in plan.measured
    }
    select = _grouped_select(plan, rows, keys, slices, values)
    return Measured(ctes=(), select=_without_empty_total(plan, select, keys, values), values=values)


def _value(plan: Plan, rows: Rows, name: str, condition: exp.Expr | None, keys: tuple[DimensionName, ...]) -> exp.Expr:
    def leaf(metric: Metric) -> exp.Expr:
        value = aggregate(rows, metric, condition)
        return _cumulated(plan, rows, value, keys) if metric.kind == "cumulative" else value

    return formula(plan.metric(name), plan.domain, leaf)


def _cumulated(plan: Plan, rows: Rows, value: exp.Expr, keys: tuple[DimensionName, ...]) -> exp.Expr:
    if plan.spec.grain is None:
        return value
    return exp.Window(
        this=exp.Sum(this=value),
        partition_by=[dimension_column(rows, name) for name in keys],
        order=exp.Order(expressions=[time_bucket(rows, plan.spec.grain, None)]),
    )


def _rows(plan: Plan, source: Source, keys: tuple[DimensionName, ...], slices: tuple[Slice, ...]) -> Rows:
    filtered = (wanted.dimension for item in slices for wanted in item.filters)
    return rows_of(source.entity, plan.domain, tuple(dict.fromkeys((*keys, *filtered))), source.leaves)


def _grouped_select(
    plan: Plan,
    rows: Rows,
    keys: tuple[DimensionName, ...],
    slices: tuple[Slice, ...],
    values: Mapping[str, exp.Expr],
) -> exp.Select:
    keyed = _key_columns(plan, rows, keys, slices[0])
    columns = [named(value, name) for name, value in (*keyed.items(), *values.items())]
    select = read_from(exp.select(*columns), rows).where(*_shared_conditions(rows, slices))
    return select.group_by(*(value.copy() for value in keyed.values()))


def _key_columns(plan: Plan, rows: Rows, keys: tuple[DimensionName, ...], item: Slice) -> dict[str, exp.Expr]:
    grain = plan.spec.grain
    named: dict[str, exp.Expr] = {grain: time_bucket(rows, grain, item.shift)} if grain else {}
    for key in keys:
        named[key] = dimension_column(rows, key)
        for name in plan.label_of(key):
            named[name] = label_column(rows, key)
    return named


def _shared_conditions(rows: Rows, slices: tuple[Slice, ...]) -> list[exp.Expr]:
    shared = tuple(wanted for wanted in slices[0].filters if all(wanted in item.filters for item in slices))
    conditions = [with_members(rows, wanted) for wanted in shared] + required_conditions(rows, shared)
    period = hull(slices)
    return [in_period(rows, period), *conditions] if period else conditions


def _own_condition(rows: Rows, item: Slice, slices: tuple[Slice, ...]) -> exp.Expr | None:
    conditions = [
        with_members(rows, wanted) for wanted in item.filters if any(wanted not in other.filters for other in slices)
    ]
    if item.period and item.period != hull(slices):
        conditions.append(in_period(rows, item.period))
    return exp.and_(*conditions) if conditions else None


def _without_empty_total(
    plan: Plan, select: exp.Select, keys: tuple[DimensionName, ...], values: Mapping[str, exp.Expr]
) -> exp.Select:
    """A total over no rows at all is no row: sums filled with zeros would otherwise report a zero."""
    derived = any(plan.metric(name).kind == "derived" for name in plan.measured)
    if keys or plan.spec.grain or not derived:
        return select
    found = [leaf.copy() for value in values.values() for leaf in value.find_all(exp.AggFunc)]
    return select.having(exp.Coalesce(this=found[0], expressions=found[1:]).is_(exp.null()).not_())


def _combined(plan: Plan, item: Slice, keys: tuple[DimensionName, ...]) -> Measured:
    """Several entities, each aggregated by itself, then the metrics that need more than one of them."""
    layers = [_part(plan, source, item, keys) for source in plan.sources]
    stacked = _stacked(f"parts{item.suffix}", plan, layers, keys)
    values = {f"{name}{item.suffix}": _from_parts(plan, plan.metric(name), stacked.values) for name in plan.measured}
    kept = [column for column in stacked.select.expressions if column.alias_or_name not in stacked.values]
    select = stacked.select.select(*kept, *(named(v, k) for k, v in values.items()), append=False)
    return Measured(ctes=stacked.ctes, select=select, values=values)


def _part(plan: Plan, source: Source, item: Slice, keys: tuple[DimensionName, ...]) -> _Layer:
    rows = _rows(plan, source, keys, (item,))
    values = {str(leaf.name): aggregate(rows, leaf) for leaf in source.leaves}
    select = _grouped_select(plan, rows, keys, (item,), values)
    measured = Measured(ctes=(), select=select, values=values)
    return _Layer(name=f"{source.leaves[0].name}_part{item.suffix}", measured=measured, columns=tuple(values))


def _from_parts(plan: Plan, metric: Metric, parts: Mapping[str, exp.Expr]) -> exp.Expr:
    def plain(leaf: Metric) -> exp.Expr:
        return parts[leaf.name].copy()

    def filled(leaf: Metric) -> exp.Expr:
        return zero_filled(plain(leaf)) if adds_up(leaf, plan.domain) else plain(leaf)

    if metric.kind == "ratio" and metric.numerator and metric.denominator:
        top, bottom = plan.metric(metric.numerator), plan.metric(metric.denominator)
        # No rows of the numerator's entity for a key that the denominator has: none happened.
        return quotient(formula(top, plan.domain, filled), formula(bottom, plan.domain, plain), plan.domain)
    return formula(metric, plan.domain, plain)


def _count_members(plan: Plan, item: Slice, counted: DimensionName) -> Measured:
    """How many members of `counted` there are for each key, of those that meet the thresholds."""
    keys = tuple(dict.fromkeys((*plan.spec.dimensions, counted)))
    single = len(plan.sources) == 1
    inner = _one_pass(plan, plan.sources[0], (item,), keys) if single else _combined(plan, item, keys)
    kept = inner.select.having(*thresholds(plan, lambda name: inner.values[f"{name}{item.suffix}"].copy()))
    name = f"members{item.suffix}"
    column = f"{plan.shown[0]}{item.suffix}"
    count = exp.Count(this=exp.column(counted))
    select = exp.select(*(exp.column(key) for key in _names(plan)), exp.alias_(count, column)).from_(name)
    grouped_by = select.group_by(*(exp.column(key) for key in _names(plan)))
    return Measured(ctes=(*inner.ctes, (name, kept)), select=grouped_by, values={column: count})


def _names(plan: Plan, keys: tuple[DimensionName, ...] | None = None) -> tuple[str, ...]:
    dimensions = plan.spec.dimensions if keys is None else keys
    return (*plan.time_column, *(name for key in dimensions for name in (key, *plan.label_of(key))))


def _stacked(name: str, plan: Plan, layers: list[_Layer], keys: tuple[DimensionName, ...] | None = None) -> Measured:
    """The layers' columns side by side by key. Each column has at most one value a key, which MAX picks.

    Keys are matched by grouping and not by a join, so NULL members meet too and no engine needs a full join.
    """
    columns = tuple(column for layer in layers for column in layer.columns)
    names = _names(plan, keys)
    ctes = tuple(cte for layer in layers for cte in (*layer.measured.ctes, (layer.name, layer.measured.select)))
    arms = [_arm(layer, names, columns) for layer in layers]
    union = exp.union(*arms, distinct=False)
    values: dict[str, exp.Expr] = {column: exp.Max(this=exp.column(column)) for column in columns}
    by = [key for key in names if key not in plan.labels]
    described = {key: exp.column(key) if key in by else exp.Max(this=exp.column(key)) for key in names}
    select = (
        exp.select(*(named(v, k) for k, v in (*described.items(), *values.items())))
        .from_(name)
        .group_by(*map(exp.column, by))
    )
    return Measured(ctes=(*ctes, (name, union)), select=select, values=values)


def _arm(layer: _Layer, names: tuple[str, ...], columns: tuple[str, ...]) -> exp.Select:
    picked = [exp.column(name) for name in names]
    filled = [exp.column(c) if c in layer.columns else exp.alias_(_unknown(), c) for c in columns]
    return exp.select(*picked, *filled).from_(layer.name)


def _unknown() -> exp.Expr:
    # Typed, because a column of bare NULLs in the first two arms would become text.
    return exp.cast(exp.null(), "decimal")
