"""Written times to instants: literals, today, and arithmetic on them. What depends on data is no written time."""

import calendar
import re
from datetime import date, datetime, time, timedelta

from sqlglot import exp

_WHOLE = re.compile(r"-?[0-9]{1,8}")
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_DAYS = {"DAY": 1, "WEEK": 7}
_SECONDS = {"HOUR": 3600, "MINUTE": 60, "SECOND": 1}
_WRAPPERS = (
    exp.Cast,
    exp.TryCast,
    exp.Paren,
    exp.Date,
    exp.Timestamp,
    exp.TsOrDsToDate,
    exp.TsOrDsToTimestamp,
    exp.TsOrDsToDatetime,
    exp.AtTimeZone,
    exp.StrToDate,
    exp.StrToTime,
    exp.TimeStrToTime,
    exp.DateStrToDate,
)
_CASTS = (exp.Cast, exp.TryCast)
_TIMES = frozenset(
    {exp.DType.DATE, exp.DType.DATETIME, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPNTZ}
)
_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR})
# Other formats read other days out of the same text.
_PARSERS = (exp.StrToDate, exp.StrToTime)
_ISO_FORMATS = ("%Y-%m-%d", "%Y%m%d")
_NOW = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.Localtimestamp)
_TRUNCATIONS = (exp.DateTrunc, exp.TimestampTrunc, exp.DatetimeTrunc)
_FORWARD = (exp.Add, exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)
_BACK = (exp.Sub, exp.DateSub, exp.DatetimeSub, exp.TimestampSub)


def moment(node: exp.Expr | None, today: date) -> datetime | None:
    """The instant that `node` writes down, without a zone; None when it is not written or not understood."""
    if isinstance(node, exp.Literal):
        return _parsed(node.name) if node.is_string else None
    if isinstance(node, _NOW):
        return datetime.combine(today, time())
    if isinstance(node, _WRAPPERS):
        return moment(node.this, today) if _keeps_the_day(node) else None
    if isinstance(node, _TRUNCATIONS):
        return _truncated(moment(node.this, today), node.text("unit"))
    if isinstance(node, _FORWARD):
        return _moved(node, 1, today)
    if isinstance(node, _BACK):
        return _moved(node, -1, today)
    if isinstance(node, exp.LastDay):
        return _last_of_month(moment(node.this, today))
    return None


def is_cast_of_time(node: exp.Expr) -> bool:
    """Whether a cast leaves a time comparable as one: to a time, or to text that is not cut off."""
    kind = node.args.get("to")
    if not isinstance(kind, exp.DataType):
        return False
    return kind.this in _TIMES or (kind.this in _TEXTS and not kind.expressions)


def month_of(text: str) -> date | None:
    """The first day of the month that `YYYY-MM` names."""
    start = _parsed(f"{text}-01") if len(text) == 7 else None
    return start.date() if start else None


def last_day_of(month: date) -> date:
    """The last day of a day's month."""
    return month.replace(day=calendar.monthrange(month.year, month.month)[1])


def shifted(instant: datetime, amount: int, unit: str) -> datetime | None:
    """`instant` moved by calendar units; None for a unit that is not known or a time that does not exist."""
    word = unit.upper().rstrip("S")
    try:
        if word in _MONTHS:
            return _plus_months(instant, amount * _MONTHS[word])
        if word in _DAYS:
            return instant + timedelta(days=amount * _DAYS[word])
        return instant + timedelta(seconds=amount * _SECONDS[word]) if word in _SECONDS else None
    except (OverflowError, ValueError):
        return None


def _keeps_the_day(node: exp.Expr) -> bool:
    if isinstance(node, _CASTS):
        return is_cast_of_time(node)
    if isinstance(node, _PARSERS):
        return node.text("format").startswith(_ISO_FORMATS)
    # A second argument of a constructor moves the time, or writes it in parts.
    return isinstance(node, exp.AtTimeZone) or [part for part, value in node.args.items() if value] == ["this"]


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def _truncated(instant: datetime | None, unit: str) -> datetime | None:
    if instant is None:
        return None
    day = datetime.combine(instant.date(), time())
    starts = {
        "DAY": day,
        "WEEK": day - timedelta(days=day.weekday()),
        "MONTH": day.replace(day=1),
        "QUARTER": day.replace(day=1, month=3 * ((day.month - 1) // 3) + 1),
        "YEAR": day.replace(day=1, month=1),
    }
    return starts.get(unit.upper())


def _moved(node: exp.Expr, sign: int, today: date) -> datetime | None:
    instant = moment(node.this, today)
    step = node.args.get("expression")
    bare = isinstance(node, (exp.Add, exp.Sub)) and not isinstance(step, exp.Interval)
    if bare and (sign > 0 or isinstance(node.this, exp.Literal)):
        # MySQL counts with the digits of a day: a number is added to no time there, and text is its year.
        return None
    amount, unit = _amount(step, node.text("unit") or ("" if isinstance(step, exp.Interval) else "DAY"))
    return None if instant is None or amount is None else shifted(instant, sign * amount, unit)


def _amount(step: exp.Expr | None, unit: str) -> tuple[int | None, str]:
    if isinstance(step, exp.Interval):
        unit = step.text("unit") or unit
        step = step.this
    if isinstance(step, exp.Paren) or (isinstance(step, exp.Cast) and step.to.is_type(*exp.DataType.INTEGER_TYPES)):
        step = step.this
    sign = -1 if isinstance(step, exp.Neg) else 1
    literal = step.this if isinstance(step, exp.Neg) else step
    words = literal.name.split() if isinstance(literal, exp.Literal) else []
    if len(words) == 2:
        unit = words[1]
    number = words[0] if 0 < len(words) < 3 else ""
    return (sign * int(number), unit) if _WHOLE.fullmatch(number) else (None, unit)


def _plus_months(instant: datetime, months: int) -> datetime:
    years, month = divmod(instant.year * 12 + instant.month - 1 + months, 12)
    day = min(instant.day, calendar.monthrange(years, month + 1)[1])
    return instant.replace(year=years, month=month + 1, day=day)


def _last_of_month(instant: datetime | None) -> datetime | None:
    return datetime.combine(last_day_of(instant.date()), time()) if instant else None
