"""The metrics at the grain asked for: in one pass over one entity where that holds all of them, else stacked."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from agent.sql.compile.leaves import formula, grouped, is_additive, leaves_of, named, quotient, zero_filled
from agent.sql.compile.one_pass import leaves_in_one_pass, metrics_in_one_pass
from agent.sql.compile.plan import Plan
from agent.sql.compile.slices import PREVIOUS, Slice, mergeable, slices_of
from agent.sql.compile.stack import Layer, Measured, stacked
from agent.values.spec import Threshold
from semantic_catalog.model import DimensionName, Metric

_MEMBERS = "every_member"
_SLICE_NAMES = {"": "asked", PREVIOUS: "earlier"}


def measure(plan: Plan) -> Measured:
    """Every slice's columns side by side, a row for each combination of keys that any slice has."""
    alone = len(plan.sources) == 1 and plan.counted is None
    if alone and mergeable(plan.slices):
        return metrics_in_one_pass(plan, plan.sources[0], plan.slices)
    slices = [(_SLICE_NAMES.get(item.suffix, "whole"), _slice(plan, item)) for item in plan.slices]
    if len(slices) == 1:
        return slices[0][1]
    return stacked("side_by_side", plan, [Layer(name=name, measured=measured) for name, measured in slices])


def thresholds(plan: Plan, value: Callable[[str], exp.Expr]) -> list[exp.Expr]:
    """The spec's conditions on aggregated metrics and on their changes; `value` writes a result column."""
    operators: dict[str, type[exp.Binary]] = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "=": exp.EQ}
    return [
        operators[item.operator](this=grouped(value(item.column)), expression=_limit(plan, item))
        for item in plan.spec.having
    ]


def _limit(plan: Plan, item: Threshold) -> exp.Expr:
    if item.against == "amount":
        return exp.convert(item.value)
    average = _average(plan, plan.metric(item.metric))
    return average if item.value == 1 else exp.Mul(this=average, expression=exp.convert(item.value))


def _average(plan: Plan, metric: Metric) -> exp.Expr:
    """What the metric is on average, as a subquery: over all rows, or the mean of the members where it adds up."""
    adds_up = is_additive(metric, plan.domain)
    spec = replace(
        plan.spec, metrics=(metric.name,), having=(), order=(), limit=None, comparison=None, calculation=None
    )
    spec = replace(spec, dimensions=_compared_keys(plan)) if adds_up else replace(spec, dimensions=(), grain=None)
    whole = measure(replace(plan, spec=spec, slices=slices_of(spec), measured=(metric.name,)))
    if not adds_up:
        return _in_brackets(whole)
    ctes = (*whole.ctes, (_MEMBERS, whole.select))
    mean = exp.select(exp.Avg(this=exp.column(metric.name))).from_(_MEMBERS)
    return _in_brackets(replace(whole, ctes=ctes, select=mean))


def _compared_keys(plan: Plan) -> tuple[DimensionName, ...]:
    """What is compared with the average: the members that are counted, else each row's."""
    counted = (plan.counted,) if plan.counted else ()
    return tuple(dict.fromkeys((*plan.spec.dimensions, *counted)))


def _in_brackets(measured: Measured) -> exp.Expr:
    select = measured.select.copy()
    for name, query in measured.ctes:
        select = select.with_(name, as_=query)
    return exp.Subquery(this=select)


def _slice(plan: Plan, item: Slice) -> Measured:
    if plan.counted:
        return _count_members(plan, item, plan.counted)
    if len(plan.sources) == 1:
        return metrics_in_one_pass(plan, plan.sources[0], (item,))
    return _combined(plan, item)


def _combined(plan: Plan, item: Slice) -> Measured:
    """Several entities, each aggregated by itself, then the metrics that need more than one of them."""
    layers = [
        Layer(name=f"{source.leaves[0].name}_part{item.suffix}", measured=leaves_in_one_pass(plan, source, item))
        for source in plan.sources
    ]
    parts = stacked(f"parts{item.suffix}", plan, layers)
    values = {f"{name}{item.suffix}": _from_parts(plan, plan.metric(name), parts.values) for name in plan.measured}
    keys = [column for column in parts.select.expressions if column.alias_or_name not in parts.values]
    select = parts.select.select(*keys, *(named(v, k) for k, v in values.items()), append=False)
    return Measured(ctes=parts.ctes, select=select, values=values)


def _from_parts(plan: Plan, metric: Metric, parts: Mapping[str, exp.Expr]) -> exp.Expr:
    def plain(leaf: Metric) -> exp.Expr:
        return parts[leaf.name].copy()

    def filled(leaf: Metric) -> exp.Expr:
        return zero_filled(plain(leaf)) if is_additive(leaf, plan.domain) else plain(leaf)

    if metric.kind == "ratio" and metric.numerator and metric.denominator:
        top, bottom = plan.metric(metric.numerator), plan.metric(metric.denominator)
        # No rows of the numerator's entity for a key that the denominator has: none happened.
        above, below = formula(top, plan.domain, filled), formula(bottom, plan.domain, plain)
        return quotient(above, below, leaves_of(top, plan.domain), plan.domain)
    return formula(metric, plan.domain, plain)


def _count_members(plan: Plan, item: Slice, counted: DimensionName) -> Measured:
    """How many members of `counted` there are for each key, of those that meet the thresholds."""
    dimensions = tuple(dict.fromkeys((*plan.spec.dimensions, counted)))
    inner_plan = replace(plan, spec=replace(plan.spec, dimensions=dimensions, calculation=None))
    inner = _slice(inner_plan, item)
    kept = inner.select.having(*thresholds(plan, lambda name: inner.values[f"{name}{item.suffix}"].copy()))
    name, column = f"members{item.suffix}", f"{plan.shown[0]}{item.suffix}"
    keys = [exp.column(key) for key in (*plan.keys, *plan.labels)]
    count = exp.Count(this=exp.column(counted))
    select = exp.select(*keys, exp.alias_(count, column)).from_(name).group_by(*(key.copy() for key in keys))
    return Measured(ctes=(*inner.ctes, (name, kept)), select=select, values={column: count})
