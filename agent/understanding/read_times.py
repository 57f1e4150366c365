"""Which period a message is about and what it is compared with, from all the times that it names."""

from agent.understanding.calendar import Span, is_begun, unit_end, whole_units
from agent.understanding.comparisons import compared, previous_year
from agent.understanding.mentions import Reading, all_small_words
from agent.understanding.periods import Dated, contiguous, to_period
from agent.understanding.read_conditions import GROWTH
from agent.understanding.read_shape import grain_in
from agent.understanding.time_rules import read_unit
from agent.values.spec import Comparison, Period
from semantic_catalog.model import TimeGrain


def period_of(reading: Reading, times: tuple[Dated, ...], timezone: str) -> tuple[Period | None, Comparison | None]:
    """The period and, when two are named, what it is compared with. 'The month before' alone says no days."""
    times = tuple(each for each in times if not _is_replaced(reading, each)) if len(times) > 1 else times
    named = [each for each in times if not each.previous] if len(times) > 1 else list(times)
    if not named or (reading.has("compare") and len(times) == 1 and times[0].previous):
        return None, None
    if len(named) == 1 and named[0].ends and _asks_for_change(reading):
        return compared(*named[0].ends, timezone)
    if len(named) == 1:
        return to_period(named[0].span, timezone), None
    first, second = named[0].span, named[1].span
    years_back = _against_last_year(reading, first, second, timezone)
    if years_back:
        return years_back
    whole = None if reading.has("compare", *GROWTH) else contiguous(first, second)
    return (to_period(whole, timezone), None) if whole else compared(first, second, timezone)


def grain_of_several(times: tuple[Dated, ...], period: Period | None) -> TimeGrain | None:
    """'in September and October' wants the two side by side."""
    if len(times) != 2 or period is None or any(each.previous or each.ends for each in times):
        return None
    joined = {times[0].span.start, times[1].span.start} >= {period.start} and period.end in {t.span.end for t in times}
    units: tuple[TimeGrain, ...] = ("year", "quarter", "month", "week")
    common = [unit for unit in units if all(whole_units(each.span, unit) for each in times)]
    one_each = common and all(unit_end(each.span.start or each.span.end, common[0]) == each.span.end for each in times)
    return common[0] if joined and one_each and times[0].span.start != times[1].span.start else None


def _is_replaced(reading: Reading, time: Dated) -> bool:
    """'Q3 instead of October': the second period is the one that goes."""
    between = (mark for mark in reading.with_rule("instead") if mark.end <= time.start)
    return any(all(t.word in all_small_words() for t in reading.tokens[mark.end : time.start]) for mark in between)


def _against_last_year(
    reading: Reading, first: Span, second: Span, timezone: str
) -> tuple[Period, Comparison | None] | None:
    """'October against last year' is against October of last year."""
    year = next((span for span in (first, second) if span.words == "last_year"), None)
    other = second if year is first else first
    if year is None or other.start is None or not reading.has("compare", *GROWTH):
        return None
    if other.start <= year.end or is_begun(other.words, "year"):
        return None
    period = to_period(other, timezone)
    return period, previous_year(period)


def _asks_for_change(reading: Reading) -> bool:
    """'the change from January to October' is between the two, unless buckets or a trend are asked for."""
    return reading.has(*GROWTH) and grain_in(reading) is None and not reading.has("trend")


def wants_previous(reading: Reading, times: tuple[Dated, ...]) -> bool:
    said = any(each.previous for each in times) and (len(times) > 1 or reading.has("compare"))
    return said or reading.has("compare_previous")


def previous_unit(reading: Reading) -> TimeGrain | None:
    marks = [mention.found for mention in reading.with_rule("previous_unit") if mention.found]
    return read_unit(marks[0]) if marks else None
