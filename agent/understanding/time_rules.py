"""What each rule of the time grammar means in days. The rules' words are in `global/time/<locale>.yaml`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from agent.understanding.calendar import ONE_DAY, Span, clipped, months_span, shift, unit_start
from agent.understanding.patterns import Found
from semantic_catalog.model import TimeGrain

_MONTHS_OF = {"month": 1, "quarter": 3, "half": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What undated words are read against: `today`, and the latest day (and the year) the neighbour allows."""

    today: date
    not_after: date | None = None
    year: int | None = None

    @property
    def last_day(self) -> date:
        """The last day of data."""
        return self.today - ONE_DAY


Rule = Callable[[Found, Anchor], Span]


def read_span(found: Found, anchor: Anchor) -> Span:
    """The days of a time rule, not clipped to the data. Raises `KeyError` for a rule that has no meaning here."""
    return RULES[found.name](found, anchor)


def is_yearless(found: Found) -> bool:
    """Whether the words leave the year open ('October', 'third quarter', '5 May')."""
    return found.name in _YEARLESS


def _int(found: Found, slot: str) -> int:
    value = found.get(slot)
    assert isinstance(value, int)
    return value


def read_unit(found: Found) -> TimeGrain:
    """The unit that the rule's words name."""
    unit = found.get("unit")
    assert unit in ("day", "week", "month", "quarter", "year")
    return unit


def _last(count: int, unit: TimeGrain, anchor: Anchor) -> Span:
    end = unit_start(anchor.today, unit)
    words = f"last_{unit}" if count == 1 else f"last_{count}_{unit}s"
    if unit == "day" and count == 1:
        words = "yesterday"
    return Span(start=shift(end, unit, -count), end=end - ONE_DAY, words=words)


def _to_date(unit: TimeGrain, anchor: Anchor) -> Span:
    start = unit_start(anchor.today, unit)
    words = "today" if unit == "day" else f"{unit}_to_date"
    return clipped(Span(start=start, end=shift(start, unit, 1) - ONE_DAY, words=words), anchor.today)


def _unit_ago(found: Found, anchor: Anchor) -> Span:
    unit = read_unit(found)
    count = int(found.get("n") or 2)  # type: ignore[call-overload]  # slots of `n` read integers
    start = shift(unit_start(anchor.today, unit), unit, -count)
    return Span(start=start, end=shift(start, unit, 1) - ONE_DAY)


def _unit_last_year(found: Found, anchor: Anchor) -> Span:
    """'this month last year': the whole unit a year before the one that today is in."""
    unit = read_unit(found)
    start = shift(unit_start(anchor.today, unit), "year", -1) if unit != "week" else _weeks_back(anchor)
    return Span(start=start, end=shift(start, unit, 1) - ONE_DAY)


def _weeks_back(anchor: Anchor) -> date:
    return shift(unit_start(anchor.today, "week"), "week", -52)


def _part(found: Found, year: int) -> Span:
    """The month, quarter or half the words name, in that year."""
    for slot, months in _MONTHS_OF.items():
        number = found.get(slot) or (found.get("ordinal") or found.get("n") if slot in found.name else None)
        if isinstance(number, int):
            return months_span(year, (number - 1) * months + 1, months)
    raise KeyError(found.name)


def _latest(part: Callable[[int], Span], anchor: Anchor) -> Span:
    """The most recent year's part that has begun; the neighbour's year when that is known."""
    if anchor.year is not None:
        return part(anchor.year)
    limit = min(anchor.last_day, anchor.not_after or anchor.last_day)
    span = part(limit.year)
    return span if span.start is not None and span.start <= limit else part(limit.year - 1)


def _open_part(found: Found, anchor: Anchor) -> Span:
    return _latest(lambda year: _part(found, year), anchor)


def _dated_part(found: Found, anchor: Anchor) -> Span:
    del anchor
    year = found.get("year") or found.get("yy")
    assert isinstance(year, int)
    return _part(found, year)


def _last_year_part(found: Found, anchor: Anchor) -> Span:
    return _part(found, anchor.today.year - 1)


def _this_year_part(found: Found, anchor: Anchor) -> Span:
    return _part(found, anchor.today.year)


def _days(found: Found, year: int) -> Span:
    days = [value for name, value in found.captures if name == "day" and isinstance(value, int)]
    first, last = days[0], days[-1]
    month = _int(found, "month")
    return Span(start=_day(year, month, first), end=_day(year, month, last))


def _half_month(found: Found, anchor: Anchor) -> Span:
    """The first fifteen days, or the rest of the month."""
    month, first = _int(found, "month"), found.get("ordinal") == 1

    def half(year: int) -> Span:
        return Span(start=_day(year, month, 1 if first else 16), end=_day(year, month, 15 if first else 31))

    year = found.get("year")
    return half(year) if isinstance(year, int) else _latest(half, anchor)


def _day(year: int, month: int, day: int) -> date:
    """That day; the month's last day when it is shorter."""
    start = date(year, month, 1)
    return min(start + timedelta(days=day - 1), shift(start, "month", 1) - ONE_DAY)


def _date(found: Found, anchor: Anchor) -> Span:
    del anchor
    span = found.get("date")
    assert isinstance(span, Span)
    return span


def _weekday(found: Found, anchor: Anchor) -> Span:
    back = (anchor.last_day.weekday() - _int(found, "weekday")) % 7
    day = anchor.last_day - timedelta(days=back)
    return Span(start=day, end=day)


def _days_ago(count: int, words: str = "range") -> Rule:
    def rule(found: Found, anchor: Anchor) -> Span:
        del found
        day = anchor.today - timedelta(days=count)
        return Span(start=day, end=day, words=words)

    return rule


def _named_last(count: int, unit: TimeGrain) -> Rule:
    def rule(found: Found, anchor: Anchor) -> Span:
        del found
        return _last(count, unit, anchor)

    return rule


def _named_to_date(unit: TimeGrain) -> Rule:
    def rule(found: Found, anchor: Anchor) -> Span:
        del found
        return _to_date(unit, anchor)

    return rule


def _year(found: Found, anchor: Anchor) -> Span:
    del anchor
    return months_span(_int(found, "year"), 1, 12)


def _open_days(found: Found, anchor: Anchor) -> Span:
    return _latest(lambda year: _days(found, year), anchor)


def _dated_days(found: Found, anchor: Anchor) -> Span:
    del anchor
    return _days(found, _int(found, "year"))


def _all_history(found: Found, anchor: Anchor) -> Span:
    del found
    return Span(start=None, end=anchor.last_day, words="all_history")


RULES: Mapping[str, Rule] = {
    "today": _days_ago(0, "today"),
    "yesterday": _days_ago(1, "yesterday"),
    "day_before_yesterday": _days_ago(2),
    "last_n": lambda found, anchor: _last(_int(found, "n"), read_unit(found), anchor),
    "last_unit": lambda found, anchor: _last(1, read_unit(found), anchor),
    "previous_unit": lambda found, anchor: _last(1, read_unit(found), anchor),
    "last_unit_before": _unit_ago,
    "units_ago": _unit_ago,
    "last_half_year": _named_last(6, "month"),
    "last_twelve": _named_last(12, "month"),
    "latest_sheet": _named_last(1, "month"),
    "this_unit": lambda found, anchor: _to_date(read_unit(found), anchor),
    "this_unit_last_year": _unit_last_year,
    "year_to_date": _named_to_date("year"),
    "month_to_date": _named_to_date("month"),
    "quarter_to_date": _named_to_date("quarter"),
    "month": _open_part,
    "month_year": _dated_part,
    "month_last_year": _last_year_part,
    "month_this_year": _this_year_part,
    "year": _year,
    "quarter": _open_part,
    "quarter_year": _dated_part,
    "quarter_last_year": _last_year_part,
    "quarter_this_year": _this_year_part,
    "half": _open_part,
    "half_month": _half_month,
    "half_year": _dated_part,
    "half_last_year": _last_year_part,
    "date": _date,
    "day_month": _open_days,
    "day_month_year": _dated_days,
    "days_of_month": _open_days,
    "days_of_month_dashed": _open_days,
    "days_of_month_year": _dated_days,
    "weekday": _weekday,
    "all_history": _all_history,
}
_YEARLESS = frozenset({"month", "quarter", "half", "day_month", "days_of_month", "days_of_month_dashed"})
