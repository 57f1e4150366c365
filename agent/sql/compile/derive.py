"""Columns computed from measured ones: changes against another period or bucket, shares, ranks, running figures."""

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from agent.errors import SpecNotCompilable
from agent.sql.compile.leaves import formula, is_additive, quotient
from agent.sql.compile.period_sql import buckets_before
from agent.sql.compile.plan import Plan
from agent.sql.compile.slices import PREVIOUS, TOTAL, window_of
from semantic_catalog.model import Metric, TimeGrain

Kind = Literal["previous", "change", "change_pct", "share", "rank", "running_total", "moving_average"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedColumn:
    """A column `<base>_<kind>` and its value over the columns of the measured rows."""

    base: str
    kind: Kind
    value: exp.Expr

    @property
    def name(self) -> str:
        """The result column's name."""
        return f"{self.base}_{self.kind}"


def derived_columns(plan: Plan) -> tuple[DerivedColumn, ...]:
    """What the comparison and the calculation add to each asked column, in the order of the result."""
    return tuple(column for base in plan.shown for column in (*_compared(plan, base), *_calculated(plan, base)))


def earlier_buckets(plan: Plan) -> dict[str, exp.Expr]:
    """What growth is measured against: the bucket just before, not the row just before. A missing one is unknown."""
    calculation = plan.spec.calculation
    if calculation is None or calculation.kind not in ("growth", "delta") or plan.spec.comparison:
        return {}
    lags = {base: _over_time(plan, exp.Lag(this=exp.column(base))) for base in plan.shown}
    return {f"{base}{PREVIOUS}": _if_buckets_apart(plan, 1, lag) for base, lag in lags.items()}


def places_kept(plan: Plan) -> tuple[str, int] | None:
    """The rank column that decides what is kept and how many places of it; None where every place is shown."""
    calculation = plan.spec.calculation
    if calculation is None or calculation.kind != "rank" or calculation.window is None:
        return None
    by = next((item.by for item in plan.spec.order if item.by in plan.shown), plan.shown[0])
    return f"{by}_rank", calculation.window


def is_percent(plan: Plan, base: str) -> bool:
    """Whether the column is a percentage: its change is told in points, never in percent."""
    return plan.counted is None and plan.metric(base).format == "percent"


def _compared(plan: Plan, base: str) -> tuple[DerivedColumn, ...]:
    if plan.spec.comparison is None:
        return ()
    earlier = exp.column(f"{base}{PREVIOUS}")
    return (DerivedColumn(base=base, kind="previous", value=earlier), *_changes(plan, base))


def _calculated(plan: Plan, base: str) -> tuple[DerivedColumn, ...]:
    match plan.spec.calculation.kind if plan.spec.calculation else None:
        case "growth" | "delta" if plan.spec.comparison is None:
            return _changes(plan, base)
        case "share":
            return (DerivedColumn(base=base, kind="share", value=_share(plan, base)),)
        case "rank":
            return (DerivedColumn(base=base, kind="rank", value=_rank(plan, base)),)
        case "running_total":
            return (DerivedColumn(base=base, kind="running_total", value=_running_total(plan, base)),)
        case "moving_average":
            return (DerivedColumn(base=base, kind="moving_average", value=_moving_average(plan, base)),)
        case _:
            return ()


def _changes(plan: Plan, base: str) -> tuple[DerivedColumn, ...]:
    """The difference, unknown where either side is; in percent of the earlier value unless it is in points."""
    earlier = exp.column(f"{base}{PREVIOUS}")
    difference = exp.Sub(this=exp.column(base), expression=earlier.copy())
    change = DerivedColumn(base=base, kind="change", value=difference)
    if is_percent(plan, base):
        return (change,)
    ratio = quotient(difference.copy(), earlier.copy(), _above(plan, base), plan.domain)
    return (change, DerivedColumn(base=base, kind="change_pct", value=ratio))


def _above(plan: Plan, base: str) -> tuple[Metric, ...]:
    """A count of members is no metric and keeps no digits."""
    return () if plan.counted else plan.leaves(base)


def _if_buckets_apart(plan: Plan, count: int, value: exp.Expr) -> exp.Expr:
    grain = _grain(plan)
    lag = exp.Lag(this=exp.column(grain), offset=exp.Literal.number(count) if count > 1 else None)
    apart = _over_time(plan, lag).eq(buckets_before(exp.column(grain), grain, count))
    return exp.Case().when(apart, value)


def _share(plan: Plan, base: str) -> exp.Expr:
    if not plan.is_additive(base):
        raise SpecNotCompilable(f"{base} has no shares: it does not add up")
    over = plan.spec.calculation.over if plan.spec.calculation else None
    if any(item.suffix == TOTAL for item in plan.slices):
        return quotient(exp.column(base), exp.column(f"{base}{TOTAL}"), plan.leaves(base), plan.domain)
    others = [name for name in plan.spec.dimensions if over in plan.spec.dimensions and name != over]
    within = [exp.column(name) for name in (*plan.time_column, *others)]
    total = exp.Window(this=exp.Sum(this=exp.column(base)), partition_by=within)
    return quotient(exp.column(base), total, plan.leaves(base), plan.domain)


def _rank(plan: Plan, base: str) -> exp.Expr:
    descending = next((item.descending for item in plan.spec.order if item.by == base), True)
    ordered = exp.Ordered(this=exp.column(base), desc=descending, nulls_first=False)
    over = plan.spec.calculation.over if plan.spec.calculation else None
    within = [exp.column(name) for name in ((over,) if over else plan.time_column)]
    return exp.Window(this=exp.Rank(), partition_by=within, order=exp.Order(expressions=[ordered]))


def _running_total(plan: Plan, base: str) -> exp.Expr:
    if not _leaves_add_up(plan, base):
        raise SpecNotCompilable(f"{base} has no running total: it does not add up")
    return _windowed(plan, base, _frame("UNBOUNDED"))


def _moving_average(plan: Plan, base: str) -> exp.Expr:
    """The average over a full window of buckets without gaps; of a ratio, the ratio of the window's sums."""
    size = window_of(plan.spec)
    frame = _frame(exp.Literal.number(size - 1))
    if plan.is_additive(base) or not _leaves_add_up(plan, base):
        value: exp.Expr = _over_time(plan, exp.Avg(this=exp.column(base)), frame)
    else:
        value = _windowed(plan, base, frame)
    return _if_buckets_apart(plan, size - 1, value) if size > 1 else value


def _windowed(plan: Plan, base: str, frame: exp.WindowSpec) -> exp.Expr:
    def leaf(metric: Metric) -> exp.Expr:
        return _over_time(plan, exp.Sum(this=exp.column(metric.name)), frame.copy())

    return formula(plan.metric(base), plan.domain, leaf)


def _leaves_add_up(plan: Plan, base: str) -> bool:
    return plan.counted is None and all(is_additive(leaf, plan.domain) for leaf in plan.leaves(base))


def _frame(preceding: exp.Expr | str) -> exp.WindowSpec:
    return exp.WindowSpec(kind="ROWS", start=preceding, start_side="PRECEDING", end="CURRENT ROW")


def _over_time(plan: Plan, function: exp.Expr, frame: exp.WindowSpec | None = None) -> exp.Window:
    return exp.Window(
        this=function,
        partition_by=[exp.column(name) for name in plan.spec.dimensions],
        order=exp.Order(expressions=[exp.column(_grain(plan))]),
        spec=frame,
    )


def _grain(plan: Plan) -> TimeGrain:
    if plan.spec.grain is None:
        raise SpecNotCompilable("a figure over time needs buckets")
    return plan.spec.grain
