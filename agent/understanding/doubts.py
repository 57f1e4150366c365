"""What shapes a question and could not be read: asked about, never left out of the answer in silence."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import is_dimension, is_member, is_metric
from agent.understanding.periods import Dated, contiguous
from agent.understanding.read_shape import free_units, grain_in
from agent.understanding.read_times import chained
from agent.understanding.tokens import Token, fold
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain, MetricName

_JOINING = ("compare", "compare_previous", "compare_year", "compare_week", "instead", "growth", "rise", "fall")
_LEAVABLE = ("filter_word", "limit_word", "by", "only", "average")
_LOW, _HIGH = ("low", "worst"), ("high", "best")


def doubts(reading: Reading, times: Sequence[Dated], metrics: Sequence[MetricName], domain: Domain) -> tuple[str, ...]:
    """Words whose part in the question is unclear, as typed."""
    found = (
        *_unjoined_periods(reading, times),
        *_ratios(reading, metrics, domain),
        *_per_unit(reading),
        *_both_ends(reading),
        *_broken_names(reading),
        *_loose_units(reading),
        *_further_periods(reading, times),
        *_vague_beside(reading, domain),
        *(_left_out_of_nothing(reading) if metrics else ()),
        *_differences(reading),
    )
    return tuple(dict.fromkeys(found))


def _unjoined_periods(reading: Reading, times: Sequence[Dated]) -> Iterator[str]:
    """Two periods that nothing joins or compares, such as 'in May in the summer of 2025'."""
    if reading.has(*_JOINING):
        return
    for first, second in pairwise(times):
        between = reading.tokens[first.end : second.start]
        and_words = vocabulary(reading.locale).lists["and"]
        gaps = [token.gap for token in reading.tokens[first.end : second.start + 1]]
        joined = any(token.word in and_words for token in between) or any(gaps)
        close = all(token.word in all_small_words() for token in between)
        if close and not joined and not contiguous(first.span, second.span) and not second.previous:
            yield reading.text_of(first.start, second.end)


def _is_of(reading: Reading, at: int, time: Mention) -> bool:
    """'the week of October 5': a stretch that begins on or holds the day, and not the day."""
    short = vocabulary(reading.locale).units[reading.tokens[at].word] in ("day", "week")
    between = reading.tokens[at + 1 : time.start]
    return short and bool(between) and all(t.word in vocabulary(reading.locale).connectors for t in between)


def _further_periods(reading: Reading, times: Sequence[Dated]) -> Iterator[str]:
    """A third period, where the first two are already set against each other."""
    named = [each for each in times if not each.previous]
    if len(named) > 1 and len(named) < len(times) and reading.has("compare"):
        yield from (reading.text_of(each.start, each.end) for each in times if each.previous)
    if len(named) > 2 and (reading.has(*_JOINING) or chained(named) is None):
        yield from (reading.text_of(each.start, each.end) for each in named[2:])


def _vague_beside(reading: Reading, domain: Domain) -> Iterator[str]:
    """'net income margin': a word for several metrics that makes another one of the metric beside it."""
    for mention in (m for m in reading.mentions if m.kind == "vague"):
        for metric in (m for m in reading.mentions if is_metric(m)):
            first, second = sorted((mention, metric), key=lambda m: m.start)
            touch = first.end == second.start and not reading.tokens[second.start].gap
            if touch and _makes_a_ratio(mention, metric, domain):
                yield reading.text_of(first.start, second.end)


def _makes_a_ratio(vague: Mention, metric: Mention, domain: Domain) -> bool:
    """Whether the word speaks of percentages, and the metric is an amount that is none of its own meanings."""
    meanings = {term.name for term in vague.of_kind("vague")}
    percent = any(domain.metric(MetricName(name)).format == "percent" for name in meanings)
    named = {term.name for term in metric.of_kind("metric")}
    amounts = all(domain.metric(MetricName(name)).format != "percent" for name in named)
    return percent and amounts and not named & meanings


def _left_out_of_nothing(reading: Reading) -> Iterator[str]:
    """'merchants that have not had any transactions': a 'not' that leaves no member out."""
    for mark in reading.with_rule("exclude"):
        later = reading.after(mark)
        plain = later is None or not (later.terms or later.rule in _LEAVABLE)
        if plain or (later is not None and is_metric(later)):
            yield reading.text_of(mark.start, later.end if later else mark.end)


def _differences(reading: Reading) -> Iterator[str]:
    """'ingresos menos costo de ventas': a difference of two metrics."""
    minus = vocabulary(reading.locale).lists["minus"]
    for mark in reading.with_rule("low", "exclude"):
        earlier, later = reading.before(mark), reading.after(mark)
        word = reading.tokens[mark.start].word
        if word in minus and earlier is not None and later is not None and is_metric(earlier) and is_metric(later):
            yield reading.text_of(earlier.start, later.end)


def within_each(reading: Reading) -> Iterator[str]:
    """'the top 3 merchants of each region': a ranking within every member of another dimension."""
    several = sum(is_dimension(mention) for mention in reading.mentions) > 1
    ranked = several and reading.has("top_n", "bottom_n")
    for mark in reading.with_rule("by"):
        said = {token.word for token in reading.tokens[mark.start : mark.end]}
        each = said & vocabulary(reading.locale).lists["each"]
        later = reading.after(mark)
        if ranked and each and later is not None and is_dimension(later):
            yield reading.text_of(mark.start, later.end)


def _ratios(reading: Reading, metrics: Sequence[MetricName], domain: Domain) -> Iterator[str]:
    """'labour cost as a percentage of revenue': a quotient of two metrics that is no metric itself."""
    for mark in reading.with_rule("share"):
        earlier, later = reading.before(mark), reading.after(mark)
        second = reading.after(later) if later is not None and is_metric(later) else None
        for first, other in ((earlier, later), (later, second)):
            if _are_apart(first, other, reading) and _is_new(first, other, metrics, domain):
                assert first is not None
                assert other is not None
                yield reading.text_of(min(first.start, mark.start), other.end)
                return


def _per_unit(reading: Reading) -> Iterator[str]:
    """'fees per transaction', 'costo de ventas sobre ingresos': one metric divided by another."""
    words = vocabulary(reading.locale).lists
    marks = [mark for mark in reading.with_rule("by") if reading.tokens[mark.start].word in words["each"]]
    for first, second in pairwise(m for m in reading.mentions if is_metric(m)):
        divided = any(first.end == mark.start and mark.end == second.start for mark in marks)
        over = second.start == first.end + 1 and reading.tokens[first.end].word in words["over"]
        if divided or over:
            yield reading.text_of(first.start, second.end)


def _are_apart(first: Mention | None, other: Mention | None, reading: Reading) -> bool:
    if first is None or other is None or not (is_metric(first) and is_metric(other)):
        return False
    and_words = vocabulary(reading.locale).lists["and"]
    between = reading.tokens[first.end : other.start]
    return not any(token.word in and_words or "," in token.gap for token in (*between, reading.tokens[other.start]))


def _is_new(first: Mention | None, other: Mention | None, metrics: Sequence[MetricName], domain: Domain) -> bool:
    names = {term.name for each in (first, other) if each is not None for term in each.of_kind("metric")}
    parts = {frozenset({m.numerator, m.denominator}) for m in domain.metrics if m.kind == "ratio" and m.name in metrics}
    percent = any(domain.metric(MetricName(name)).format == "percent" for name in names)
    return len(names) > 1 and not percent and frozenset(names) not in parts


def _both_ends(reading: Reading) -> Iterator[str]:
    """'the cheapest and the dearest': one ranking cannot be both."""
    low, high = reading.with_rule(*_LOW), reading.with_rule(*_HIGH)
    if low and high and _are_listed(reading, *sorted((low[0], high[0]), key=lambda m: m.start)):
        yield reading.text_of(*_stretch(low[0], high[0]))


def _are_listed(reading: Reading, first: Mention, second: Mention) -> bool:
    and_words = vocabulary(reading.locale).lists["and"]
    between = reading.tokens[first.end : second.start]
    return reading.is_close(first, second) and any(token.word in and_words for token in between)


def _stretch(first: Mention, second: Mention) -> tuple[int, int]:
    return min(first.start, second.start), max(first.end, second.end)


def _broken_names(reading: Reading) -> Iterator[str]:
    """'Bakkery South': a proper name that is put together from a corrected word and something else."""
    for start, end in _proper_names(reading):
        held = [m for m in reading.mentions if m.kind == "name" and m.start < end and m.end > start]
        corrected = [m for m in held if is_member(m) and _is_corrected(reading.tokens[m.start : m.end])]
        whole = len(held) == 1 and held[0].start <= start and held[0].end >= end
        if corrected and not whole:
            yield reading.text_of(start, end)


def _is_corrected(tokens: Sequence[Token]) -> bool:
    return any(token.word.isalpha() and token.word != fold(token.text) for token in tokens)


def _proper_names(reading: Reading) -> Iterator[tuple[int, int]]:
    """Stretches of two or more words with capitals that nothing parts."""
    at = 0
    while at < len(reading.tokens):
        end = at
        while end < len(reading.tokens) and _is_proper(reading, end) and (end == at or not reading.tokens[end].gap):
            end += 1
        if end - at > 1:
            yield at, end
        at = max(end, at + 1)


def _is_proper(reading: Reading, at: int) -> bool:
    text = reading.tokens[at].text
    timed = any(m.kind == "time" and m.start <= at < m.end for m in reading.mentions)
    return text[:1].isupper() and not text.isupper() and not timed


def _loose_units(reading: Reading) -> Iterator[str]:
    """A unit that a list or a 'by' leads to and that became no bucket."""
    lists = vocabulary(reading.locale).lists
    for at in free_units(reading):
        before = reading.tokens[at - 1].word if at else ""
        if before in vocabulary(reading.locale).ordinals:
            yield reading.text_of(at - 1, at + 1)
        following = next((m for m in reading.mentions if m.start > at and m.kind == "time"), None)
        if following is not None and _is_of(reading, at, following):
            yield reading.text_of(at, following.end)
        leads = before in lists["and"] or any(mark.end == at for mark in reading.with_rule("by"))
        if leads and grain_in(reading) != vocabulary(reading.locale).units[reading.tokens[at].word]:
            yield reading.tokens[at].text
