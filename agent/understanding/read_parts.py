"""A reading as the parts of a question."""

from dataclasses import replace
from datetime import date

from agent.sql.compile.sources import can_answer
from agent.understanding.doubts import doubts, within_each
from agent.understanding.leftover import blocking_positions, stretches, unknown_split, unused_positions
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import THRESHOLDS, is_dimension, is_member, is_metric
from agent.understanding.parts import Choice, Parts, Rank
from agent.understanding.periods import dated, dated_plan, merged
from agent.understanding.plan_views import lines_of, with_plan_views
from agent.understanding.read_conditions import (
    BUDGET_CONDITIONS,
    GROWTH,
    conditions_in,
    in_percent,
    plan_conditions_on,
    unread_conditions,
)
from agent.understanding.read_dimensions import DimensionsRead, dimensions_in, things_of_kind
from agent.understanding.read_members import MembersRead, members_in
from agent.understanding.read_metrics import metrics_in
from agent.understanding.read_shape import chart_in, grain_in, rank_in, rank_within, window_in
from agent.understanding.read_times import (
    grain_of_several,
    period_of,
    previous_unit,
    set_against,
    wants_previous,
    wants_year,
)
from agent.understanding.sharpen import ABSORBED, sharpened
from agent.understanding.superlatives import superlative_in
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import MemberFilter
from semantic_catalog.model import DimensionName, Domain, Metric, MetricName
from semantic_catalog.plan import is_planned


def read_parts(
    reading: Reading, lexicon: Lexicon, domain: Domain, today: date, context: tuple[MetricName, ...] = ()
) -> Parts:
    """What the message says. `context` are metrics already spoken of: ambiguous names are settled by them."""
    reading = sharpened(reading, lexicon, domain)
    metrics = metrics_in(reading, lexicon, domain)
    named = _with_views(reading, metrics.names, context, domain)
    known = named or context
    shared = _shared_parts(reading, named, domain)
    named = shared or named
    known = named or context
    dimensions = dimensions_in(reading, known, domain, named=bool(named))
    members = members_in(reading, known, domain)
    if not metrics.choice:
        filtered = tuple(item.dimension for item in members.filters if item.include)
        named = lines_of(named, filtered, domain)
        named = in_percent(reading, named, domain)
        known = named or context
    things = things_of_kind(reading, known, domain) if known and not dimensions.names else None
    counted = things if things and reading.has("how_many") else dimensions.counted
    if counted and not known and not metrics.choice:
        named = known = _counted_by(counted, reading, domain)
    times = dated_plan(reading, today) if is_planned(named, domain) else dated(reading, today)
    times = merged(set_against(reading, times))
    period, comparison = period_of(reading, times, domain.timezone)
    superlative = superlative_in(reading, named, domain)
    named, rank = (superlative.metrics, superlative.rank) if superlative else (named, _rank_of(reading, named))
    split = _split_by(dimensions, members, things if counted is None else None)
    within = rank_within(reading, rank, split)
    unused = unused_positions(reading)
    unknown = unknown_split(reading, unused)
    blocking = tuple(at for at in blocking_positions(reading, unused) if at not in unknown)
    return Parts(
        metrics=named,
        metric_choice=metrics.choice,
        dimensions=split,
        dimension_choice=dimensions.choice or _unknown_choice(reading, unknown),
        filters=(*members.filters, *(MemberFilter(dimension=name, values=()) for name in dimensions.absent)),
        member_choice=members.choice,
        period=period,
        comparison=comparison,
        wants_previous=wants_previous(reading, times),
        previous_unit=previous_unit(reading),
        wants_week=reading.has("compare_week"),
        wants_year=wants_year(reading, times),
        grain=grain_in(reading) or (grain_of_several(times, period) if comparison is None else None),
        trend=reading.has("trend"),
        when=reading.has("when") or (reading.has("asked_unit") and rank is not None),
        having=conditions_in(reading, known, domain),
        rank=rank,
        share=bool(shared) or _is_share(reading, domain),
        part_of_whole=any(mention.kind == ABSORBED for mention in reading.mentions),
        share_of_member=_share_of_member(reading, split=bool(dimensions.names)),
        growth=_grows(reading, named, domain),
        moved="fall" if reading.has("fall") else "rise" if reading.has("rise") else None,
        counted=counted,
        calculation=within or window_in(reading),
        chart=chart_in(reading),
        money=any(token.word in vocabulary(reading.locale).lists["money"] for token in reading.tokens),
        average=_average(reading, named or known, domain),
        unused=stretches(reading, unused),
        blocking=(
            *stretches(reading, blocking),
            *_undefined(reading),
            *unread_conditions(reading, known, domain),
            *doubts(reading, times, metrics.names, domain),
            *(() if within else within_each(reading)),
        ),
    )


def _rank_of(reading: Reading, metrics: tuple[MetricName, ...]) -> Rank | None:
    """The ranking, by one of the metrics asked for where any is."""
    rank = rank_in(reading)
    foreign = rank is not None and bool(metrics) and rank.metric not in metrics
    return replace(rank, metric=None) if rank is not None and foreign else rank


def _counted_by(counted: DimensionName, reading: Reading, domain: Domain) -> tuple[MetricName, ...]:
    """What tells that a member was there, where members are only counted and an amount is not set for some figure."""
    metric = domain.counted_by
    measured = reading.has(*THRESHOLDS, *GROWTH, *BUDGET_CONDITIONS)
    known = metric is not None and not measured and can_answer((metric,), (counted,), None, domain)
    return (metric,) if metric is not None and known else ()


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


def _shared_parts(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[MetricName, ...]:
    """'the share of declines by reason': no rate of each reason, but the part that each has in the declines."""
    mention = next((m for m in reading.mentions if is_metric(m)), None)
    ratio = domain.metric(metrics[0]) if len(metrics) == 1 else None
    if mention is None or ratio is None or ratio.numerator is None or ratio.kind != "ratio":
        return ()
    said = {token.word for token in reading.tokens[mention.start : mention.end]}
    splits = [[DimensionName(t.name) for t in m.of_kind("dimension")] for m in reading.mentions if is_dimension(m)]
    foreign = [names for names in splits if not any(can_answer((ratio.name,), (each,), None, domain) for each in names)]
    given = all(any(can_answer((ratio.numerator,), (each,), None, domain) for each in names) for names in splits)
    shares = said & vocabulary(reading.locale).lists["share_words"]
    return (ratio.numerator,) if shares and foreign and given else ()


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


def _average(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> str:
    """An 'average' that asks for something else than the metric: of a ratio it says nothing new."""
    marks = reading.with_rule("average")
    if not marks or all(_is_average(domain.metric(name), domain) for name in metrics):
        return ""
    return reading.text_of(marks[0].start, marks[0].end)


def _is_average(metric: Metric, domain: Domain) -> bool:
    measures = (entity.measure(metric.measure) for entity in domain.entities if metric.measure)
    return metric.kind == "ratio" or any(measure is not None and measure.aggregation == "avg" for measure in measures)


def _share_of_member(reading: Reading, *, split: bool) -> DimensionName | None:
    """'the share of Visa': the dimension of the member whose part of the whole is asked.

    In 'the share of copper spend of each supplier' the member only says whose spend is divided over the suppliers.
    """
    for mention in (reading.after(mark) for mark in reading.with_rule("share")):
        if mention is not None and is_member(mention) and not (split and _qualifies(reading, mention)):
            return DimensionName(mention.terms[0].name)
    return None


def _qualifies(reading: Reading, member: Mention) -> bool:
    return any(is_metric(mention) and mention.start == member.end for mention in reading.mentions)
