"""Headlines of results along time, of one series or of several members."""

from agent.analysis.headline import MAX_LISTED, Headline, Story, listed
from agent.analysis.layout import MetricColumn
from agent.analysis.narrate_members import tell_members
from agent.analysis.numbers_of import Point
from agent.analysis.reading import Moment


def tell_time(story: Story, metric: MetricColumn) -> Headline:
    """From where to where, with peak and low; for several members, who is highest and lowest in the end.

    Buckets picked by their value are a ranking, a single bucket and a long result are breakdowns, and a
    comparison is told as one.
    """
    spec, layout = story.reading.spec, story.reading.layout
    ranked = spec is not None and spec.keeps_few and any(by.by in spec.metrics for by in spec.order)
    compared = spec is not None and spec.comparison is not None and metric.previous is not None
    if ranked or compared:
        return tell_members(story, metric)
    if layout.dimensions:
        return _members(story, metric) if story.reading.profile is None else tell_members(story, metric)
    series = story.reading.whole_moments(metric)
    return tell_members(story, metric) if len(series) < 2 else _course(story, metric, series)


def _course(story: Story, metric: MetricColumn, series: tuple[Moment, ...]) -> Headline:
    column, first, last = metric.column, series[0], series[-1]
    began, ended = story.write_both(first.value, last.value, column)
    words = {
        "metric": column.label,
        "first": began,
        "last": ended,
        "first_bucket": story.reading.bucket(first.start),
        "last_bucket": story.reading.bucket(last.start),
    }
    lead = story.say("series_stayed" if began == ended else _direction(first, last), **words)
    return Headline(lead=lead, rest=(story.say("series_when", **words), *_peak(story, metric, series)))


def _direction(first: Moment, last: Moment) -> str:
    return "series_rose" if last.value > first.value else "series_fell"


def _peak(story: Story, metric: MetricColumn, series: tuple[Moment, ...]) -> tuple[str, ...]:
    low, high = min(series, key=lambda m: m.value), max(series, key=lambda m: m.value)
    # A running total is lowest where it begins and highest where it ends.
    if len(series) < 3 or low.value == high.value or metric.column.name.endswith("_running_total"):
        return ()
    return (
        story.say(
            "series_extremes",
            high=story.write(high.value, metric.column),
            high_bucket=story.reading.bucket(high.start),
            low=story.write(low.value, metric.column),
            low_bucket=story.reading.bucket(low.start),
        ),
    )


def _members(story: Story, metric: MetricColumn) -> Headline:
    starts = story.reading.whole_starts()
    ends = story.reading.points_at(metric.value, starts[-1]) if len(starts) > 1 else ()
    if len(ends) < 2:
        return tell_members(story, metric)
    low, high = min(ends, key=lambda p: p.value), max(ends, key=lambda p: p.value)
    lead = story.say(
        "series_members",
        metric=metric.column.label,
        bucket=story.reading.bucket(starts[-1]),
        high=story.reading.members(high.row),
        high_value=story.write(high.value, metric.column),
        low=story.reading.members(low.row),
        low_value=story.write(low.value, metric.column),
    )
    since = _since(story, metric, (high, low), story.reading.points_at(metric.value, starts[0]))
    if not since:
        return Headline(lead=story.say("closed", text=lead))
    sentence = story.say("series_members_since", first_bucket=story.reading.bucket(starts[0]), list=listed(since, "; "))
    return Headline(lead=story.say("closed", text=lead), rest=(sentence,))


def _since(story: Story, metric: MetricColumn, ends: tuple[Point, ...], begins: tuple[Point, ...]) -> list[str]:
    first = {story.reading.members(point.row): point for point in begins}
    return [
        story.say(
            "series_members_item",
            name=name,
            first=story.write(first[name].value, metric.column),
            last=story.write(end.value, metric.column),
        )
        for end in ends[:MAX_LISTED]
        if (name := story.reading.members(end.row)) in first
    ]
