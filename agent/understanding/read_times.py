"""Which period a message is about and what it is compared with, from all the times that it names."""

from collections.abc import Sequence
from dataclasses import replace

from agent.understanding.calendar import ONE_DAY, Span, is_begun, shift, unit_end, whole_units
from agent.understanding.comparisons import compared, previous_year
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.periods import Dated, contiguous, to_period
from agent.understanding.read_conditions import GROWTH
from agent.understanding.read_shape import grain_in
from agent.understanding.time_rules import read_unit
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Comparison, Period
from semantic_catalog.model import TimeGrain


def period_of(reading: Reading, times: tuple[Dated, ...], timezone: str) -> tuple[Period | None, Comparison | None]:
    """The period and, when two are named, what it is compared with. 'The month before' alone says no days."""
    times = tuple(each for each in times if not _is_replaced(reading, each)) if len(times) > 1 else times
    named = [each for each in times if not each.previous] if len(times) > 1 else list(times)
    if not named or (reading.has("compare") and len(times) == 1 and times[0].previous) or is_other_side(reading, times):
        return None, None
    if len(named) == 1 and named[0].ends and _asks_for_change(reading):
        return compared(*named[0].ends, timezone)
    if len(named) == 1:
        return to_period(named[0].span, timezone), None
    chain = None if reading.has("compare", *GROWTH) else chained(named)
    if chain:
        return to_period(chain, timezone), None
    first, second = named[0].span, named[1].span
    years_back = _against_last_year(reading, first, second, timezone)
    if years_back:
        return years_back
    return compared(first, second, timezone)


def set_against(reading: Reading, times: tuple[Dated, ...]) -> tuple[Dated, ...]:
    """'October against last month', where last month is October: what it is set against is the month before."""

    def is_own(each: Dated) -> bool:
        mark = next((m for m in reading.mentions if m.kind == "time" and m.start == each.start), None)
        others = [other.span for other in times if other is not each and other.span.start is not None]
        same = each.span in (replace(span, words=each.span.words) for span in others)
        return mark is not None and mark.rule == "last_unit" and same and _is_set_against(reading, mark)

    return tuple(replace(each, previous=True) if is_own(each) else each for each in times)


def _is_set_against(reading: Reading, mark: Mention) -> bool:
    """Whether 'against', or 'with' after a 'compare', stands right before the time."""
    words, at = vocabulary(reading.locale), _word_before(reading, mark.start)
    compares = reading.with_rule("compare")
    joined = at >= 0 and reading.tokens[at].word in words.lists["with"] | words.lists["comparing"]
    return any(m.start <= at < m.end for m in compares) or (joined and bool(compares))


def _word_before(reading: Reading, start: int) -> int:
    """Where the word before a time stands, articles apart; below zero where there is none."""
    words = vocabulary(reading.locale)
    at = start - 1
    while at >= 0 and reading.tokens[at].word in words.lists["articles"] | words.connectors:
        at -= 1
    return at


def chained(times: Sequence[Dated]) -> Span | None:
    """The periods as one stretch, when each follows the one before without a gap."""
    whole: Span | None = times[0].span
    for each in times[1:]:
        whole = contiguous(whole, each.span) if whole else None
    return whole


def wants_year(reading: Reading, times: Sequence[Dated]) -> bool:
    """Whether the same days a year before are to be compared with."""
    against = is_other_side(reading, times) and times[0].span.words == "last_year"
    return reading.has("compare_year") or against


def is_other_side(reading: Reading, times: Sequence[Dated]) -> bool:
    """'Revenue against last year': the only period named is the one to compare with."""
    if len(times) != 1 or sum(mention.kind == "time" for mention in reading.mentions) != 1:
        return False
    words = vocabulary(reading.locale)
    time = next(mention for mention in reading.mentions if mention.kind == "time")
    at = _word_before(reading, times[0].start)
    mark = next((m for m in reading.with_rule("compare") if m.start <= at < m.end), None)
    follows = any(m.start == times[0].end and m.of_kind("metric") for m in reading.mentions)
    said = mark is not None and reading.tokens[mark.start].word in words.lists["comparing"]
    return (said or (time.rule == "last_unit" and _is_set_against(reading, time))) and not follows


def grain_of_several(times: tuple[Dated, ...], period: Period | None) -> TimeGrain | None:
    """'in September and October' wants the two side by side."""
    if len(times) < 2 or period is None or any(each.previous or each.ends for each in times):
        return None
    joined = period.start in {t.span.start for t in times} and period.end in {t.span.end for t in times}
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
    """'October against last year' is against October of last year, as is 'January to October against 2025'."""
    year = next((span for span in (second, first) if _is_year(span)), None)
    other = second if year is first else first
    if year is None or other.start is None or not reading.has("compare", "compare_year", *GROWTH):
        return None
    if other.start <= year.end or is_begun(other.words, "year") or _is_year(other) or other.start.year < other.end.year:
        return None
    period = to_period(other, timezone)
    return period, _years_before(period, other.start.year - year.end.year)


def _is_year(span: Span) -> bool:
    start = span.start
    whole = start is not None and whole_units(span, "year") and start.year == span.end.year
    return whole or span.words == "last_year"


def _years_before(period: Period, count: int) -> Comparison | None:
    if count == 1 or period.start is None:
        return previous_year(period)
    start, end = shift(period.start, "year", -count), shift(period.end + ONE_DAY, "year", -count) - ONE_DAY
    return Comparison(kind="named", period=replace(period, start=start, end=end, words="range"))


def _asks_for_change(reading: Reading) -> bool:
    """'the change from January to October' is between the two, unless buckets or a trend are asked for."""
    return reading.has(*GROWTH) and grain_in(reading) is None and not reading.has("trend")


def wants_previous(reading: Reading, times: tuple[Dated, ...]) -> bool:
    """Whether the period before is to be compared with, in any of the ways it is said."""
    said = any(each.previous for each in times) and (len(times) > 1 or reading.has("compare"))
    said = said or (is_other_side(reading, times) and times[0].span.words != "last_year")
    return said or reading.has("compare_previous")


def previous_unit(reading: Reading) -> TimeGrain | None:
    """The unit named by 'the month before' and its like; None where nothing of the kind is said."""
    marks = [mention.found for mention in reading.with_rule("previous_unit") if mention.found]
    return read_unit(marks[0]) if marks else None
