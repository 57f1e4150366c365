"""What else stands out: changes, new levels, outliers, other metrics and days without data. At most three lines."""

from collections.abc import Iterator

from agent.analysis.favour import favours, is_variance
from agent.analysis.headline import Story
from agent.analysis.layout import MetricColumn
from agent.analysis.numbers_of import Point
from agent.analysis.outliers import level_shift, outlier
from agent.values.result import Verification

MAX_HIGHLIGHTS = 3


def highlights(
    story: Story, metric: MetricColumn, verification: Verification, most: int = MAX_HIGHLIGHTS
) -> tuple[str, ...]:
    """The lines, at most `most`, most important first."""
    lines = (
        *_coverage(story, verification),
        *favours(story),
        *_change_over_time(story, metric),
        *_level_shift(story, metric),
        *_outlier(story, metric),
        *_total(story, metric),
        *_other_metrics(story, metric),
    )
    return lines[:most]


def _coverage(story: Story, verification: Verification) -> Iterator[str]:
    for doubt in verification.doubts:
        if doubt.key == "missing_buckets" and story.reading.grain is not None:
            params = dict(doubt.params)
            yield story.say(f"coverage_{story.reading.grain}", present=params["present"], expected=params["expected"])


def _change_over_time(story: Story, metric: MetricColumn) -> Iterator[str]:
    series, kpi = story.reading.whole_moments(metric), story.kpi("change", metric.column)
    compared = story.reading.spec is not None and story.reading.spec.comparison is not None
    if kpi is None or compared or len(series) < 2:
        return
    change = story.change(kpi, metric.column, signed=True)
    # '0.0 points' is not worth a line.
    if any(digit in change for digit in "123456789"):
        yield story.say(
            "change_over_time",
            first_bucket=story.reading.bucket(series[0].start),
            last_bucket=story.reading.bucket(series[-1].start),
            change=change,
        )


def _outlier(story: Story, metric: MetricColumn) -> Iterator[str]:
    # Rows of several members over time, and a ranking's few rows, have no common middle to stand out from.
    if len(story.reading.layout.keys) != 1 or not story.reading.whole or story.reading.profile is not None:
        return
    found = story.reading.points(metric.value)
    far = outlier([point.value for point in found])
    if far is not None and _is_whole(story, found[far.place]):
        yield story.say(
            "outlier",
            name=story.reading.name(found[far.place].row),
            value=story.write(found[far.place].value, metric.column),
            typical=story.write(found[far.typical].value, metric.column),
        )


def _level_shift(story: Story, metric: MetricColumn) -> Iterator[str]:
    series = () if story.reading.layout.dimensions else story.reading.whole_moments(metric)
    # Buckets picked by their value are no course of time, and a running total has no level.
    if not story.reading.whole or _is_running(metric):
        return
    step = level_shift([moment.value for moment in series])
    if step is not None:
        yield story.say(
            "level_shift",
            bucket=story.reading.bucket(series[step.place].start),
            before=story.write(series[step.before].value, metric.column),
            since=story.write(series[step.since].value, metric.column),
        )


def _is_whole(story: Story, point: Point) -> bool:
    start = story.reading.start(point.row)
    return start is None or not story.reading.is_cut(start)


def _total(story: Story, metric: MetricColumn) -> Iterator[str]:
    total, average = story.kpi("total", metric.column), story.kpi("average", metric.column)
    # What a running total comes to is its last value, which has been said.
    if story.reading.grain is None or total is None or _is_running(metric):
        return
    if average is None:
        yield story.say("other_total", metric=metric.column.label, value=story.write(total.value, metric.column))
    else:
        yield story.say(
            f"total_{story.reading.grain}",
            total=story.write(total.value, metric.column),
            average=story.write(average.value, metric.column),
        )


def _other_metrics(story: Story, metric: MetricColumn) -> Iterator[str]:
    if not story.reading.layout.keys:
        return
    if _is_running(metric):
        return
    for other in story.reading.layout.metrics:
        if other is not metric and not is_variance(story, other):
            yield from _other(story, other)


def _is_running(metric: MetricColumn) -> bool:
    return metric.column.name.endswith("_running_total")


def _other(story: Story, metric: MetricColumn) -> Iterator[str]:
    total, overall = story.kpi("total", metric.column), story.kpi("overall", metric.column)
    kpi = total or overall
    if kpi is not None:
        value = story.write(kpi.value, metric.column)
        yield story.say("other_total" if total else "other_overall", metric=metric.column.label, value=value)
        return
    found = story.reading.numbers(metric.value)
    if found.count < 2:
        return
    low, high = found.lowest[0], found.highest[0]
    yield story.say(
        "other_extremes",
        metric=metric.column.label,
        low=story.reading.name(low.row),
        low_value=story.write(low.value, metric.column),
        high=story.reading.name(high.row),
        high_value=story.write(high.value, metric.column),
    )
