"""A reading as the parts of a question."""

from datetime import date

from agent.understanding.calendar import Span, is_begun, unit_end, whole_units
from agent.understanding.comparisons import compared, previous_year
from agent.understanding.leftover import blocking_positions, stretches, unknown_split, unused_positions
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import is_member, is_metric
from agent.understanding.parts import Choice, Parts
from agent.understanding.periods import Dated, contiguous, dated, merged, to_period
from agent.understanding.plan_views import lines_of, with_plan_views
from agent.understanding.read_conditions import (
    BUDGET_CONDITIONS,
    GROWTH,
    conditions_in,
    plan_conditions_on,
    unread_conditions,
)
from agent.understanding.read_dimensions import DimensionsRead, dimensions_in, things_of_kind
from agent.understanding.read_members import MembersRead, members_in
from agent.understanding.read_metrics import metrics_in
from agent.understanding.read_shape import chart_in, grain_in, rank_in, window_in
from agent.understanding.sharpen import ABSORBED, sharpened
from agent.understanding.superlatives import superlative_in
from agent.understanding.time_rules import read_unit
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Comparison, Period
from semantic_catalog.model import DimensionName, Domain, MetricName, TimeGrain


def read_parts(
    reading: Reading, lexicon: Lexicon, domain: Domain, today: date, context: tuple[MetricName, ...] = ()
) -> Parts:
    """What the message says. `context` are metrics already spoken of: ambiguous names are settled by them."""
    reading = sharpened(reading, lexicon, domain)
    metrics = metrics_in(reading, lexicon, domain)
    named = _with_views(reading, metrics.names, context, domain)
    known = named or context
    dimensions = dimensions_in(reading, known, domain)
    members = members_in(reading, known, domain)
    if not metrics.choice:
        filtered = tuple(item.dimension for item in members.filters if item.include)
        named = lines_of(named, filtered, domain)
        known = named or context
    things = things_of_kind(reading, known, domain) if known and not dimensions.names else None
    counted = things if things and reading.has("how_many") else dimensions.counted
    times = merged(dated(reading, today))
    period, comparison = _period_of(reading, times, domain.timezone)
    superlative = superlative_in(reading, named, domain)
    named, rank = (superlative.metrics, superlative.rank) if superlative else (named, rank_in(reading))
    unused = unused_positions(reading)
    unknown = unknown_split(reading, unused)
    blocking = tuple(at for at in blocking_positions(reading, unused) if at not in unknown)
    return Parts(
        metrics=named,
        metric_choice=metrics.choice,
        dimensions=_split_by(dimensions, members, things if counted is None else None),
        dimension_choice=dimensions.choice or _unknown_choice(reading, unknown),
        filters=members.filters,
        member_choice=members.choice,
        period=period,
        comparison=comparison,
        wants_previous=_wants_previous(reading, times),
        previous_unit=_previous_unit(reading),
        wants_week=reading.has("compare_week"),
        wants_year=reading.has("compare_year"),
        grain=grain_in(reading) or (_grain_of_several(times, period) if comparison is None else None),
        trend=reading.has("trend"),
        when=reading.has("when") or (reading.has("asked_unit") and rank is not None),
        having=conditions_in(reading, known, domain),
        rank=rank,
        share=_is_share(reading, domain),
        part_of_whole=any(mention.kind == ABSORBED for mention in reading.mentions),
        share_of_member=_share_of_member(reading),
        growth=_grows(reading, named, domain),
        moved="fall" if reading.has("fall") else "rise" if reading.has("rise") else None,
        counted=counted,
        calculation=window_in(reading),
        chart=chart_in(reading),
        average=_average(reading, known, domain),
        unused=stretches(reading, unused),
        blocking=(*stretches(reading, blocking), *_undefined(reading), *unread_conditions(reading, known, domain)),
    )


def _with_views(
    reading: Reading, names: tuple[MetricName, ...], context: tuple[MetricName, ...], domain: Domain
) -> tuple[MetricName, ...]:
    """The metrics with what the plan says of them; a message with a period of its own is about nothing earlier."""
    timed = any(mention.kind == "time" for mention in reading.mentions)
    measured = reading.has(*BUDGET_CONDITIONS)
    context = () if timed else context
    differs = reading.has("growth") or any("variance" in t.name for m in reading.mentions for t in m.of_kind("vague"))
    views = with_plan_views(names, context, domain, against=reading.has("compare"), differs=differs)
    return plan_conditions_on(views or context, domain) if measured else views


def _undefined(reading: Reading) -> tuple[str, ...]:
    """Words that make another figure of a metric, one that is not defined: 'before tax'."""
    return tuple(reading.text_of(mention.start, mention.end) for mention in reading.with_rule("undefined"))


def _grows(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> bool:
    """Whether a change over time is asked for: beside a budget, 'variation' is the one from it."""
    if not reading.has(*GROWTH, "growth_unit", "growth_month"):
        return False
    planned = any(domain.metric(name).view for name in metrics)
    return not planned or reading.has("rise", "fall", "compare_year", "compare_previous", "growth_unit")


def _is_share(reading: Reading, domain: Domain) -> bool:
    """Whether a part of a whole is asked for; 'the percentage of' a percentage only names that."""
    marks = [mark for mark in reading.with_rule("share") if not _is_percent_of_change(reading, mark)]
    following = [reading.after(mark) for mark in marks]
    metrics = [MetricName(m.of_kind("metric")[0].name) for m in following if m is not None and is_metric(m)]
    return bool(following) and not any(domain.metric(name).format == "percent" for name in metrics)


def _is_percent_of_change(reading: Reading, mark: Mention) -> bool:
    """'by what percentage did it grow' asks for no share."""
    words = {token.word for token in reading.tokens[mark.start : mark.end]}
    return reading.has(*GROWTH) and bool(words & vocabulary(reading.locale).lists["percent"])


def _unknown_choice(reading: Reading, positions: tuple[int, ...]) -> Choice | None:
    return Choice(words=stretches(reading, positions)[0], names=()) if positions else None


def _split_by(
    dimensions: DimensionsRead, members: MembersRead, things: DimensionName | None
) -> tuple[DimensionName, ...]:
    if things:
        return (things,)
    return tuple(dict.fromkeys((*dimensions.names, *members.split)))


def _period_of(reading: Reading, times: tuple[Dated, ...], timezone: str) -> tuple[Period | None, Comparison | None]:
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


def _grain_of_several(times: tuple[Dated, ...], period: Period | None) -> TimeGrain | None:
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


def _wants_previous(reading: Reading, times: tuple[Dated, ...]) -> bool:
    said = any(each.previous for each in times) and (len(times) > 1 or reading.has("compare"))
    return said or reading.has("compare_previous")


def _previous_unit(reading: Reading) -> TimeGrain | None:
    marks = [mention.found for mention in reading.with_rule("previous_unit") if mention.found]
    return read_unit(marks[0]) if marks else None


def _average(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> str:
    """An 'average' that asks for something else than the metric: of a ratio it says nothing new."""
    marks = reading.with_rule("average")
    if not marks or all(domain.metric(name).kind == "ratio" for name in metrics):
        return ""
    return reading.text_of(marks[0].start, marks[0].end) if _near_metric(reading, marks[0]) else ""


def _near_metric(reading: Reading, mark: Mention) -> bool:
    return any(each is not None and is_metric(each) for each in (reading.before(mark), reading.after(mark)))


def _share_of_member(reading: Reading) -> DimensionName | None:
    """'the share of Visa': the dimension of the member whose part of the whole is asked."""
    for mention in (reading.after(mark) for mark in reading.with_rule("share")):
        if mention is not None and is_member(mention):
            return DimensionName(mention.terms[0].name)
    return None
