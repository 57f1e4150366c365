"""Which finished rows are kept and in what order: thresholds, top members, a total order, the limit."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from agent.errors import SpecNotCompilable
from agent.sql.compile.derive import earlier_buckets, places_kept
from agent.sql.compile.leaves import named
from agent.sql.compile.measure import measure, thresholds
from agent.sql.compile.period_sql import day_literal
from agent.sql.compile.plan import Plan
from agent.sql.compile.rows import member_value, members_condition
from agent.sql.compile.slices import lookback, shared_filters, slices_of
from agent.sql.compile.stack import Cte
from agent.values.spec import OrderBy

TOP = "top_members"
_RANKED = "_ranked"


def ordered(plan: Plan, select: exp.Select, column: Callable[[str], exp.Expr]) -> exp.Select:
    """The select in a total order; `column` writes a sort key. A single row has none."""
    entries = _sort_keys(plan) if plan.keys else []
    keys = [
        exp.Ordered(this=column(name), desc=down or None, nulls_first=_nulls_first(plan, name, down))
        for name, down in entries
    ]
    return select.order_by(*keys) if keys else select


def late_conditions(plan: Plan, derived: Mapping[str, exp.Expr]) -> list[exp.Expr]:
    """What finished rows must meet: thresholds, the asked period after a look back, members shown of a share."""

    def written(name: str) -> exp.Expr:
        return derived[name].copy() if name in derived else exp.column(name)

    conditions = [] if plan.counted else thresholds(plan, written)
    places = places_kept(plan)
    if places:
        conditions.append(exp.LTE(this=exp.column(places[0]), expression=exp.convert(places[1])))
    period = plan.spec.period
    if lookback(plan.spec) and period and period.start and plan.spec.grain:
        conditions.append(exp.GTE(this=exp.column(plan.spec.grain), expression=day_literal(period.start)))
    entity = plan.sources[0].entity
    for wanted in shared_filters(plan.spec):
        values = [member_value(entity, plan.domain, wanted.dimension, text) for text in wanted.values]
        conditions.append(members_condition(exp.column(wanted.dimension), values, wanted.include))
    return conditions


def limits_members(plan: Plan) -> bool:
    """Whether the limit means members and not rows: a series of the largest few, each with all its buckets."""
    spec = plan.spec
    by_metric = bool(spec.order) and spec.order[0].by in plan.measured
    return bool(spec.limit and spec.grain and spec.dimensions and by_metric)


def windows_before(plan: Plan, derived: Mapping[str, exp.Expr], filters: bool) -> dict[str, exp.Expr]:
    """Columns to compute before the finished rows are filtered, so that a window sees every row it must."""
    earlier = earlier_buckets(plan)
    if not filters and not limits_members(plan):
        return earlier
    return earlier | {name: value for name, value in derived.items() if value.find(exp.Window)}


def top_members(plan: Plan) -> tuple[Cte, ...]:
    """CTEs that end with the members kept: the first ones by the sort metric over the whole period."""
    ranking = _ranking(plan)
    ranked = measure(ranking)
    members = {column.alias_or_name: column.unalias() for column in ranked.select.expressions}

    def written(name: str) -> exp.Expr:
        return (members[name] if name in plan.keys else ranked.values[f"{name}{_RANKED}"]).copy()

    columns = [named(members[name], _top_name(name)) for name in plan.spec.dimensions]
    select = ordered(ranking, ranked.select.select(*columns, append=False), written)
    return (*ranked.ctes, (TOP, select.limit(plan.spec.limit or 0)))


def is_top_member(plan: Plan) -> exp.Expr:
    """The join of finished rows with the kept members; a NULL member meets itself."""
    names = plan.spec.dimensions
    return exp.and_(*(exp.NullSafeEQ(this=exp.column(n), expression=exp.column(_top_name(n))) for n in names))


def _ranking(plan: Plan) -> Plan:
    first = plan.spec.order[0]
    metric = plan.metric(first.by).name
    whole = replace(
        plan.spec, metrics=(metric,), grain=None, comparison=None, calculation=None, having=(), order=(first,)
    )
    slices = tuple(replace(item, suffix=_RANKED) for item in slices_of(whole))
    return replace(plan, spec=whole, slices=slices, measured=(metric,))


def _nulls_first(plan: Plan, name: str, descending: bool) -> bool:
    """What is sorted by comes last where it is unknown; what only breaks ties, where the engine puts it unasked."""
    sorted_by = {_column_name(plan, item) for item in plan.spec.order} - {plan.spec.grain}
    if name not in plan.keys or name in sorted_by or plan.domain.dialect == "duckdb":
        return False
    return descending == (plan.domain.dialect == "postgres")


def _top_name(dimension: str) -> str:
    return f"top_{dimension}"


def _column_name(plan: Plan, item: OrderBy) -> str:
    if item.by != "time":
        return item.by
    if plan.spec.grain is None:
        raise SpecNotCompilable("a figure without buckets cannot be sorted by time")
    return plan.spec.grain


def _sort_keys(plan: Plan) -> list[tuple[str, bool]]:
    """The asked keys, or time for a series and the largest first otherwise; ties follow the row's own keys."""
    asked = [(_column_name(plan, item), item.descending) for item in plan.spec.order]
    if not asked and not plan.spec.grain:
        asked = [(plan.shown[0], True)]
    # Where the asked key chose the members, their series still run in time.
    first = [(name, False) for name in plan.time_column] if limits_members(plan) else []
    keys = [*first, *asked, *((name, False) for name in plan.keys)]
    return [(name, down) for i, (name, down) in enumerate(keys) if name not in dict(keys[:i])]
