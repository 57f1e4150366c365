"""A question's period at another day: what was said relative to today moves along, dates stay."""

import re
from dataclasses import replace
from datetime import date

from agent.understanding.calendar import ONE_DAY, Span, clipped, shift, unit_end, unit_start, whole_units
from agent.understanding.comparisons import previous_period, previous_year
from agent.values.spec import Comparison, Period, QuerySpec
from semantic_catalog.model import TimeGrain

_LAST_N = re.compile(r"last_(?:(\d+)_)?(day|week|month|quarter|year)s?")
_TO_DATE = re.compile(r"(week|month|quarter|year)_to_date")
_UNITS: dict[str, TimeGrain] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}


def rolled(spec: QuerySpec, today: date) -> QuerySpec:
    """The spec as if it had been asked on `today`, the day in its own zone."""
    if spec.period is None:
        return spec
    period = _at(spec.period, today)
    if period == spec.period:
        return spec
    comparison = _compared(spec.comparison, spec.period, period) if spec.comparison else None
    return replace(spec, period=period, comparison=comparison)


def rolls(period: Period | None) -> bool:
    """Whether the period moves with the days; dates that were said do not."""
    return period is None or _span(period.words, period.end) is not None


def _at(period: Period, today: date) -> Period:
    span = _span(period.words, today)
    return replace(period, start=span.start, end=span.end, words=span.words) if span else period


def _span(words: str, today: date) -> Span | None:
    if words == "today":
        return Span(start=today, end=today, words=words)
    if words == "yesterday":
        return Span(start=today - ONE_DAY, end=today - ONE_DAY, words=words)
    if words == "all_history":
        return Span(start=None, end=today - ONE_DAY, words=words)
    counted, begun = _LAST_N.fullmatch(words), _TO_DATE.fullmatch(words)
    if counted:
        unit = _UNITS[counted[2]]
        first = unit_start(today, unit)
        return Span(start=shift(first, unit, -int(counted[1] or 1)), end=first - ONE_DAY, words=words)
    if begun:
        return _begun(_UNITS[begun[1]], today, words)
    return None


def _begun(unit: TimeGrain, today: date, words: str) -> Span:
    """The unit that today is in, up to yesterday; on its first day, that day."""
    start = unit_start(today, unit)
    return replace(clipped(Span(start=start, end=unit_end(today, unit)), today), words=words)


def _compared(comparison: Comparison, before: Period, now: Period) -> Comparison | None:
    """The other period keeps its place beside this one."""
    match comparison.kind:
        case "previous_period":
            return previous_period(now)
        case "previous_year":
            return previous_year(now)
        case _:
            return replace(comparison, period=_alongside(comparison.period, before, now))


def _alongside(other: Period, before: Period, now: Period) -> Period:
    """As many months or days further as the period moved."""
    if before.start is None or now.start is None or other.start is None:
        return other
    if whole_units(Span(start=other.start, end=other.end), "month") and before.start.day == now.start.day == 1:
        months = (now.start.year - before.start.year) * 12 + now.start.month - before.start.month
        end = shift(other.end + ONE_DAY, "month", months) - ONE_DAY
        return replace(other, start=shift(other.start, "month", months), end=end)
    moved = now.start - before.start
    return replace(other, start=other.start + moved, end=other.end + moved)
