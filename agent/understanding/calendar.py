"""Calendar arithmetic: units that start and end on days. Weeks start on Monday."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from semantic_catalog.model import TimeGrain

_MONTHS = {"month": 1, "quarter": 3, "year": 12}
ONE_DAY = timedelta(days=1)
UNITS: tuple[TimeGrain, ...] = ("year", "quarter", "month", "week")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Days from `start` (None: the first of the data) to `end`, both included; `words` keys the label."""

    start: date | None
    end: date
    words: str = "range"


def unit_start(day: date, unit: TimeGrain) -> date:
    """The first day of the unit that holds `day`."""
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=day.weekday())
    months = _MONTHS[unit]
    return date(day.year, (day.month - 1) // months * months + 1, 1)


def shift(start: date, unit: TimeGrain, count: int) -> date:
    """The day `count` units away; a day that the month does not have becomes its last."""
    if unit == "day":
        return start + timedelta(days=count)
    if unit == "week":
        return start + timedelta(weeks=count)
    index = start.year * 12 + start.month - 1 + count * _MONTHS[unit]
    year, month = divmod(index, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def unit_end(day: date, unit: TimeGrain) -> date:
    """The last day of the unit that holds `day`."""
    return shift(unit_start(day, unit), unit, 1) - ONE_DAY


def months_span(year: int, first_month: int, months: int) -> Span:
    """Whole months of one year, from `first_month`."""
    start = date(year, first_month, 1)
    return Span(start=start, end=shift(start, "month", months) - ONE_DAY)


def whole_units(span: Span, unit: TimeGrain) -> bool:
    """Whether the span starts and ends where units do."""
    starts = span.start is not None and unit_start(span.start, unit) == span.start
    return starts and unit_end(span.end, unit) == span.end


def clipped(span: Span, today: date) -> Span:
    """The span without days that have no data yet; one that starts today or later keeps its days up to its end.

    Data ends the day before `today`. A whole unit that loses its end becomes that unit 'to date'.
    """
    last_day = today - ONE_DAY
    if span.start is None or span.start <= last_day:
        end, words = min(span.end, last_day), span.words if span.end <= last_day else _to_date(span)
        return Span(start=span.start, end=end, words=words)
    return Span(start=span.start, end=max(span.start, min(span.end, today)), words=span.words)


def _to_date(span: Span) -> str:
    for unit in UNITS:
        if span.start and (unit_start(span.start, unit), unit_end(span.start, unit)) == (span.start, span.end):
            return f"{unit}_to_date"
    return span.words


def is_begun(words: str, unit: TimeGrain) -> bool:
    """Whether a period's words say that it is the beginning of a unit that is not over."""
    return words == f"{unit}_to_date"
