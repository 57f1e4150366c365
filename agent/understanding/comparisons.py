"""The other period: the one before, the same days earlier, or one of two that are named."""

from dataclasses import replace
from datetime import date

from agent.understanding.calendar import (
    ONE_DAY,
    UNITS,
    Span,
    is_begun,
    shift,
    unit_end,
    unit_start,
    whole_units,
)
from agent.understanding.periods import to_period
from agent.values.spec import Comparison, Period
from semantic_catalog.model import TimeGrain


def previous_period(period: Period) -> Comparison | None:
    """The stretch just before: whole units for whole units, as many days else. None for an open period.

    A period cut by the end of the data is compared with the same part of the unit before.
    """
    if period.start is None:
        return None
    start, end = _shifted_back(period.start, period.end, period.words)
    return Comparison(kind="previous_period", period=replace(period, start=start, end=end, words="range"))


def _shifted_back(start: date, end: date, words: str) -> tuple[date, date]:
    span = Span(start=start, end=end)
    for unit in UNITS:
        if is_begun(words, unit):
            back = shift(start, unit, -1)
            return back, min(shift(end + ONE_DAY, unit, -1) - ONE_DAY, start - ONE_DAY)
    for unit in UNITS:
        if whole_units(span, unit):
            return shift(start, unit, -_units_between(start, end, unit)), start - ONE_DAY
    days = (end - start).days + 1
    return shift(start, "day", -days), shift(end, "day", -days)


def _units_between(start: date, end: date, unit: TimeGrain) -> int:
    count = 0
    while shift(start, unit, count) <= end:
        count += 1
    return count


def before_unit(period: Period, unit: TimeGrain) -> Comparison | None:
    """'the previous month' of these days: the stretch before when they are such units, else the unit before theirs."""
    if period.start is None:
        return None
    span = Span(start=period.start, end=period.end)
    if whole_units(span, unit) or is_begun(period.words, unit):
        return previous_period(period)
    if unit == "year":
        return previous_year(period)
    start = shift(unit_start(period.start, unit), unit, -1)
    return Comparison(kind="named", period=replace(period, start=start, end=unit_end(start, unit), words="range"))


def week_before(period: Period) -> Comparison | None:
    """The same weekdays a week earlier. None for an open period."""
    if period.start is None:
        return None
    start, end = shift(period.start, "week", -1), shift(period.end, "week", -1)
    return Comparison(kind="named", period=replace(period, start=start, end=end, words="range"))


def previous_year(period: Period) -> Comparison | None:
    """The same days a year earlier. None for an open period."""
    if period.start is None:
        return None
    start, end = shift(period.start, "year", -1), shift(period.end + ONE_DAY, "year", -1) - ONE_DAY
    return Comparison(kind="previous_year", period=replace(period, start=start, end=end, words="range"))


def compared(current: Span, other: Span, timezone: str) -> tuple[Period, Comparison]:
    """Two named periods: the later one is asked about, the earlier one is what it is compared with.

    Where the later is a unit that has only begun and the earlier such a unit in full, the same part is compared.
    """
    later, earlier = sorted((current, other), key=lambda span: (span.start or date.min, span.end), reverse=True)
    period, against = to_period(later, timezone), to_period(_same_part(later, earlier), timezone)
    for comparison in (previous_period(period), previous_year(period)):
        if comparison and (comparison.period.start, comparison.period.end) == (against.start, against.end):
            return period, comparison
    return period, Comparison(kind="named", period=against)


def _same_part(later: Span, earlier: Span) -> Span:
    for unit in UNITS:
        if is_begun(later.words, unit) and earlier.start and earlier.end == unit_end(earlier.start, unit):
            assert later.start is not None
            return replace(earlier, end=min(earlier.end, earlier.start + (later.end - later.start)), words="range")
    return earlier
