"""Which sets of rows a question measures side by side: one, or one each for a comparison or a share of a whole."""

from dataclasses import dataclass, replace
from datetime import timedelta

from agent.errors import SpecNotCompilable
from agent.sql.compile.period_sql import Shift, bucket_start
from agent.values.spec import Comparison, MemberFilter, Period, QuerySpec
from semantic_catalog.model import DimensionName, TimeGrain

PREVIOUS = "_previous"
TOTAL = "_total"
DEFAULT_WINDOW: dict[TimeGrain, int] = {"day": 7, "week": 4, "month": 3, "quarter": 4, "year": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Rows measured under the columns `<metric><suffix>`. `shift` moves their buckets onto those of the first slice."""

    suffix: str
    filters: tuple[MemberFilter, ...]
    period: Period | None
    shift: Shift | None = None


def slices_of(spec: QuerySpec) -> tuple[Slice, ...]:
    """The slices, the asked one first."""
    asked = Slice(suffix="", filters=_asked_filters(spec), period=_with_lookback(spec))
    if spec.comparison:
        return (asked, _earlier(spec, spec.comparison))
    over = spec.calculation.over if spec.calculation and spec.calculation.kind == "share" else None
    if over and over not in spec.dimensions and any(f.dimension == over for f in spec.filters):
        return (asked, replace(asked, suffix=TOTAL, filters=_without(spec.filters, over)))
    return (asked,)


def shared_filters(spec: QuerySpec) -> tuple[MemberFilter, ...]:
    """Filters that choose what is shown of a share and must not shrink its total: applied to the finished rows."""
    calculation = spec.calculation
    if not calculation or calculation.kind != "share" or calculation.over not in spec.dimensions:
        return ()
    return tuple(f for f in spec.filters if f.dimension == calculation.over)


def lookback(spec: QuerySpec) -> int:
    """How many buckets before the period are read, so that its first bucket has something to be measured against."""
    period = spec.period
    if spec.grain is None or spec.comparison or spec.calculation is None or period is None or period.start is None:
        return 0
    # Inside a bucket the earlier days would change the first bucket itself.
    if bucket_start(period.start, spec.grain) != period.start:
        return 0
    if spec.calculation.kind == "moving_average":
        return window_of(spec) - 1
    return 1 if spec.calculation.kind in ("growth", "delta") else 0


def window_of(spec: QuerySpec) -> int:
    """How many buckets a moving average spans, the current one included."""
    asked = spec.calculation.window if spec.calculation else None
    return asked or DEFAULT_WINDOW[spec.grain or "month"]


def mergeable(slices: tuple[Slice, ...]) -> bool:
    """Whether one pass over the rows gives all slices: no bucket is moved and their periods make one range."""
    return all(item.shift is None for item in slices) and _one_range(tuple(item.period for item in slices))


def hull(slices: tuple[Slice, ...]) -> Period | None:
    """The range that holds every slice."""
    periods = [item.period for item in slices if item.period]
    if not periods:
        return None
    starts = [period.start for period in periods if period.start]
    start = min(starts) if len(starts) == len(periods) else None
    return replace(periods[0], start=start, end=max(period.end for period in periods))


def _one_range(periods: tuple[Period | None, ...]) -> bool:
    first, *rest = periods
    return all(other == first or (first and other and _adjacent(first, other)) for other in rest)


def _adjacent(one: Period, other: Period) -> bool:
    day = timedelta(days=1)
    return other.end + day == one.start or one.end + day == other.start


def _asked_filters(spec: QuerySpec) -> tuple[MemberFilter, ...]:
    late = shared_filters(spec)
    return tuple(f for f in spec.filters if f not in late)


def _without(filters: tuple[MemberFilter, ...], dimension: DimensionName) -> tuple[MemberFilter, ...]:
    return tuple(f for f in filters if f.dimension != dimension)


def _with_lookback(spec: QuerySpec) -> Period | None:
    back, period = lookback(spec), spec.period
    if not back or period is None or period.start is None or spec.grain is None:
        return period
    return replace(period, start=bucket_start(period.start, spec.grain, back))


def _earlier(spec: QuerySpec, comparison: Comparison) -> Slice:
    if spec.period is None:
        raise SpecNotCompilable("a comparison needs a period")
    plain = Slice(suffix=PREVIOUS, filters=spec.filters, period=comparison.period)
    if spec.grain is None:
        return plain
    return _aligned(plain, spec.period, comparison, spec.grain)


def _aligned(plain: Slice, period: Period, comparison: Comparison, grain: TimeGrain) -> Slice:
    earlier = comparison.period
    if period.start is None or earlier.start is None:
        raise SpecNotCompilable("a comparison over time needs both periods to begin on a day")
    if grain in ("month", "quarter", "year"):
        months = (period.start.year - earlier.start.year) * 12 + period.start.month - earlier.start.month
        return replace(plain, shift=Shift(unit="MONTH", count=months))
    days = (period.start - earlier.start).days
    if grain == "week":
        days = round(days / 7) * 7
    # Days of the earlier period past the length of the later one have no bucket to meet.
    last = min(earlier.end, period.end - timedelta(days=days))
    return replace(plain, shift=Shift(unit="DAY", count=days), period=replace(earlier, end=last))
