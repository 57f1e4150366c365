"""Time mentions put together: ranges joined, what is said twice said once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from agent.understanding.calendar import ONE_DAY, Span, clipped
from agent.understanding.mentions import Mention, Reading
from agent.understanding.patterns import Found, SlotReader
from agent.understanding.slots import slot_readers
from agent.understanding.time_rules import Anchor, is_yearless, read_span
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Period

_WITH_YEAR = ("_year",)
_NAMED = ("month", "month_year", "quarter", "quarter_year", "half", "half_year", "year", "date")
_DASHES = frozenset({"-", "–", "—"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Tokens `start` to `end` (not included) say these days; `previous` ones may mean 'the one before' another.

    `ends` are the two periods that a range was made of ('from January to October').
    """

    start: int
    end: int
    span: Span
    previous: bool = False
    ends: tuple[Span, Span] | None = None


def dated_plan(reading: Reading, today: date) -> tuple[Dated, ...]:
    """Every period of a question about a plan, which runs to the end of the year: 'November' is the one to come.

    A message with words that count from today ('last month', 'so far') is about days that have been.
    """
    named = all(m.rule in _NAMED for m in reading.mentions if m.kind == "time")
    return dated(reading, date(today.year + 1, 1, 1) if named else today)


def dated(reading: Reading, today: date) -> tuple[Dated, ...]:
    """Every period of the message, ranges joined, in order, clipped to the days that have data."""
    times = {mention.start: mention for mention in reading.mentions if mention.kind == "time"}
    ranges = _ranges(reading, times)
    joined = [_joined(hit, today) for hit in ranges]
    taken = {at for each in ranges for at in range(each.start, each.end)}
    alone = [mention for at, mention in sorted(times.items()) if at not in taken]
    single = [_single(mention, today, _year_after(n, alone, reading, today)) for n, mention in enumerate(alone)]
    found = sorted((*joined, *single), key=lambda each: each.start)
    return tuple(replace(each, span=clipped(each.span, today)) for each in found)


def _single(mention: Mention, today: date, year: int | None) -> Dated:
    assert mention.found is not None
    span = read_span(mention.found, Anchor(today=today, year=year))
    return Dated(start=mention.start, end=mention.end, span=span, previous=mention.rule == "previous_unit")


def _year_after(at: int, times: Sequence[Mention], reading: Reading, today: date) -> int | None:
    """The year that is said once at the end of a list: 'in May and June 2025'. 'Oct vs Oct 2025' are two years."""
    found, listed = times[at].found, times[at:]
    if found is None or not is_yearless(found):
        return None
    for earlier, later in pairwise(listed):
        assert later.found is not None
        if not reading.is_close(earlier, later) or later.found.captures[:1] == found.captures[:1]:
            return None
        if not is_yearless(later.found):
            start = read_span(later.found, Anchor(today=today)).start
            return start.year if later.rule.endswith(_WITH_YEAR) and start else None
    return None


def _ranges(reading: Reading, times: Mapping[int, Mention]) -> list[Found]:
    words = vocabulary(reading.locale)
    slots = dict(slot_readers(words))
    slots["period"] = _period_reader(times, frozenset(words.lists["articles"]))
    slots["dash_period"] = lambda tokens, at: _dashed(tokens, at, times)
    found = [hit for hit in words.ranges.find_all(reading.tokens, slots) if not _means_with(hit, reading)]
    hits = sorted(found, key=lambda hit: (hit.start - hit.end, hit.start))
    chosen: list[Found] = []
    for hit in hits:
        if all(hit.end <= other.start or hit.start >= other.end for other in chosen):
            chosen.append(hit)
    return chosen


def _means_with(hit: Found, reading: Reading) -> bool:
    """'сравни с октябрём' compares with October and does not begin there."""
    return hit.name == "since_or_with" and reading.has("compare", "compare_previous", "compare_year")


def _period_reader(times: Mapping[int, Mention], articles: frozenset[str]) -> SlotReader:
    def read(tokens: Sequence[Token], at: int) -> tuple[int, object] | None:
        start = at
        while start < len(tokens) and start not in times and tokens[start].word in articles:
            start += 1
        mention = times.get(start)
        # 'from 5 to 12 October' is a range already.
        joins = mention is not None and not mention.rule.startswith(("days_of_month", "previous_unit"))
        return (mention.end, mention.found) if mention and joins else None

    return read


def _dashed(tokens: Sequence[Token], at: int, times: Mapping[int, Mention]) -> tuple[int, object] | None:
    mention = times.get(at)
    return (mention.end, mention.found) if mention and tokens[at].gap in _DASHES else None


def _joined(hit: Found, today: date) -> Dated:
    parts = [value for _, value in hit.captures if isinstance(value, Found)]
    span = _RANGES[hit.name](parts, today)
    return Dated(start=hit.start, end=hit.end, span=span, ends=_ends(parts, span, today) if len(parts) == 2 else None)


def _ends(parts: list[Found], whole: Span, today: date) -> tuple[Span, Span] | None:
    """The first and the last period of a range, where both are whole periods inside it."""
    last = _end_span(parts[0], parts[1], today)
    first = _start_span(parts[0], last, today)
    apart = first.end < (last.start or last.end) and first.start == whole.start and last.end == whole.end
    return (first, last) if apart and first.start != first.end else None


def _between(parts: list[Found], today: date) -> Span:
    """Both ends included. A year said once counts for both; an end never comes before its start."""
    first, last = parts
    end = _end_span(first, last, today)
    start = _start_span(first, end, today)
    if start.start is None or end.start is None or start.start <= end.end:
        return Span(start=start.start, end=end.end)
    return Span(start=end.start, end=start.end)


def _end_span(first: Found, last: Found, today: date) -> Span:
    anchor = Anchor(today=today)
    if not is_yearless(last) or is_yearless(first):
        return read_span(last, anchor)
    start = read_span(first, anchor).start
    assert start is not None
    end = read_span(last, replace(anchor, year=start.year))
    return end if end.end >= start else read_span(last, replace(anchor, year=start.year + 1))


def _start_span(first: Found, end: Span, today: date) -> Span:
    return read_span(first, Anchor(today=today, not_after=end.end))


def _since(parts: list[Found], today: date) -> Span:
    return Span(start=read_span(parts[0], Anchor(today=today)).start, end=today - ONE_DAY)


def _until(parts: list[Found], today: date) -> Span:
    return Span(start=None, end=read_span(parts[0], Anchor(today=today)).end, words="range")


_RANGES = {"between": _between, "since": _since, "since_or_with": _since, "until": _until}


def parse_period(reading: Reading, today: date) -> Span | None:
    """The one period of the message; None when there is none or more than one."""
    found = merged(dated(reading, today))
    return found[0].span if len(found) == 1 else None


def merged(found: Sequence[Dated]) -> tuple[Dated, ...]:
    """Periods that say the same thing twice as one: 'YTD 2026' is where both hold."""
    result: list[Dated] = []
    for each in found:
        apart = not result or each.previous or result[-1].previous
        common = None if apart else _common(result[-1].span, each.span)
        if common:
            result[-1] = replace(result[-1], end=each.end, span=common)
        else:
            result.append(each)
    return tuple(result)


def _common(first: Span, second: Span) -> Span | None:
    inner, outer = sorted((first, second), key=_length)
    starts = outer.start is None or (inner.start is not None and outer.start <= inner.start)
    return inner if starts and inner.end <= outer.end else None


def _length(span: Span) -> int:
    return (span.end - span.start).days if span.start else 1_000_000


def to_period(span: Span, timezone: str) -> Period:
    """The span as the spec's period."""
    return Period(start=span.start, end=span.end, timezone=timezone, words=span.words)


def contiguous(first: Span, second: Span) -> Span | None:
    """The two as one stretch, when one follows the other without a gap."""
    earlier, later = sorted((first, second), key=lambda span: span.start or date.min)
    if later.start is None or earlier.end + ONE_DAY != later.start:
        return None
    return Span(start=earlier.start, end=later.end)
