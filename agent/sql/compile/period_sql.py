"""Periods and time buckets as SQL over an entity's time column."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlglot import exp

from agent.values.spec import Period
from semantic_catalog.model import Domain, TimeColumn, TimeGrain

# The finest unit that adds up to a bucket, and how many of it a bucket holds.
_BUCKET_UNIT: dict[TimeGrain, tuple[str, int]] = {
    "day": ("DAY", 1),
    "week": ("DAY", 7),
    "month": ("MONTH", 1),
    "quarter": ("MONTH", 3),
    "year": ("MONTH", 12),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How far rows are moved in time, so that buckets of an earlier period meet those of a later one."""

    unit: str
    count: int


def within(column: exp.Expr, clock: TimeColumn, period: Period, domain: Domain) -> exp.Expr:
    """Rows of the period, as bounds on the raw column so that an index serves. Open periods have no lower bound."""
    match clock.kind:
        case "timestamp":
            return _instants(column, period, domain)
        case "date":
            return _between(column, period, day_literal)
        case "month":
            return _between(column, period, lambda day: day_literal(day.replace(day=1)))
        case "month_text":
            return _between(column, period, lambda day: exp.Literal.string(f"{day:%Y-%m}"))


def bucket(
    column: exp.Expr, clock: TimeColumn, grain: TimeGrain, domain: Domain, shift: Shift | None = None
) -> exp.Expr:
    """The first day of the bucket that a row falls into, as a date."""
    native = _is_bucket(clock, grain)
    day = _as_day(column, clock, domain)
    if shift is None and native:
        return day
    moved = exp.Add(this=day, expression=_interval(shift.unit, shift.count)) if shift else day
    if native:
        return exp.cast(moved, "date")
    if grain == "day":
        return day
    if domain.dialect == "mysql":
        return _FIRST_DAYS_IN_MYSQL[grain](moved)
    return exp.cast(exp.TimestampTrunc(this=moved, unit=exp.var(grain.upper())), "date")


def buckets_before(value: exp.Expr, grain: TimeGrain, count: int) -> exp.Expr:
    """The bucket `count` buckets before the one that starts on `value`."""
    unit, size = _BUCKET_UNIT[grain]
    return exp.Sub(this=value, expression=_interval(unit, size * count))


def bucket_start(day: date, grain: TimeGrain, back: int = 0) -> date:
    """The first day of the bucket of `day`, or of the one `back` buckets earlier. Weeks start on Monday."""
    if grain in ("day", "week"):
        start = day - timedelta(days=day.weekday()) if grain == "week" else day
        return start - timedelta(days=back * _BUCKET_UNIT[grain][1])
    size = _BUCKET_UNIT[grain][1]
    months = day.year * 12 + day.month - 1
    months += -(months % size) - back * size
    return date(months // 12, months % 12 + 1, 1)


def day_literal(day: date) -> exp.Expr:
    """A day as a typed literal."""
    return exp.cast(exp.Literal.string(day.isoformat()), "date")


def _is_bucket(clock: TimeColumn, grain: TimeGrain) -> bool:
    """Whether the column itself, read as a day, is the first day of the bucket."""
    months = clock.kind in ("month", "month_text")
    return grain == "month" if months else grain == "day" and clock.kind == "date"


def _between(column: exp.Expr, period: Period, literal: Callable[[date], exp.Expr]) -> exp.Expr:
    high = literal(period.end)
    if period.start is None:
        return exp.LTE(this=column, expression=high)
    low = literal(period.start)
    if low == high:
        return exp.EQ(this=column, expression=high)
    return exp.Between(this=column, low=low, high=high)


def _instants(column: exp.Expr, period: Period, domain: Domain) -> exp.Expr:
    before = exp.LT(this=column, expression=_midnight(period.end + timedelta(days=1), period.timezone, domain))
    if period.start is None:
        return before
    return exp.and_(exp.GTE(this=column.copy(), expression=_midnight(period.start, period.timezone, domain)), before)


def _midnight(day: date, timezone: str, domain: Domain) -> exp.Expr:
    instant = datetime.combine(day, time.min, ZoneInfo(timezone))
    if domain.dialect == "mysql":
        # It has no literals with an offset that MariaDB reads too; its sessions are in the domain's zone.
        local = instant.astimezone(ZoneInfo(domain.timezone)).replace(tzinfo=None)
        return exp.cast(exp.Literal.string(local.isoformat(sep=" ")), "datetime")
    return exp.cast(exp.Literal.string(instant.isoformat(sep=" ")), "timestamptz")


def _as_day(column: exp.Expr, clock: TimeColumn, domain: Domain) -> exp.Expr:
    if clock.kind == "month_text":
        return exp.cast(exp.DPipe(this=column, expression=exp.Literal.string("-01")), "date")
    if clock.kind != "timestamp":
        return column
    if domain.dialect == "mysql":
        return exp.cast(column, "date")
    return exp.cast(exp.AtTimeZone(this=column, zone=exp.Literal.string(domain.timezone)), "date")


def _monday_in_mysql(day: exp.Expr) -> exp.Expr:
    since = exp.Interval(
        this=exp.Paren(this=exp.Anonymous(this="WEEKDAY", expressions=[day.copy()])), unit=exp.var("DAY")
    )
    return exp.Sub(this=day, expression=since)


def _quarter_in_mysql(day: exp.Expr) -> exp.Expr:
    first = exp.Anonymous(this="MAKEDATE", expressions=[exp.Year(this=day), exp.Literal.number(1)])
    quarters = exp.Sub(this=exp.Quarter(this=day.copy()), expression=exp.Literal.number(1))
    return exp.Add(this=first, expression=exp.Interval(this=exp.Paren(this=quarters), unit=exp.var("QUARTER")))


def _formatted_in_mysql(pattern: str) -> Callable[[exp.Expr], exp.Expr]:
    return lambda day: exp.cast(exp.TimeToStr(this=day, format=exp.Literal.string(pattern)), "date")


def _interval(unit: str, count: int) -> exp.Expr:
    return exp.Interval(this=exp.Literal.string(str(count)), unit=exp.var(unit))


# MySQL truncates no dates by itself.
_FIRST_DAYS_IN_MYSQL: dict[TimeGrain, Callable[[exp.Expr], exp.Expr]] = {
    "week": _monday_in_mysql,
    "month": _formatted_in_mysql("%Y-%m-01"),
    "quarter": _quarter_in_mysql,
    "year": _formatted_in_mysql("%Y-01-01"),
}
