"""Headlines of results split by members: breakdowns, rankings, shares, and members against an earlier period."""

from agent.analysis.cells import as_number
from agent.analysis.headline import MAX_LISTED, Headline, Story, listed
from agent.analysis.layout import MetricColumn
from agent.analysis.narrate_single import tell_change
from agent.analysis.numbers_of import Numbers, Point
from agent.wording.spec_words import first_lower


def tell_members(story: Story, metric: MetricColumn) -> Headline:
    """The kind of breakdown decides: shares, a ranking, a comparison, or simply lowest and highest."""
    found = story.reading.numbers(metric.value)
    spec = story.reading.spec
    if metric.share is not None and story.reading.numbers(metric.share).count:
        return _shares(story, metric, metric.share)
    if metric.column.name.endswith("_share"):
        return _shares(story, metric, metric.value)
    if spec is not None and spec.limit is not None:
        return _ranking(story, metric, found)
    if found.count == 1:
        return _only(story, metric, found.highest[0])
    if metric.previous is not None and metric.change is not None:
        return _compared(story, metric, found)
    return _breakdown(story, metric, found)


def _breakdown(story: Story, metric: MetricColumn, found: Numbers) -> Headline:
    low, high = found.lowest[0], found.highest[0]
    column, overall = metric.column, story.overall(metric.column)
    if low.value == high.value:
        return story.told(story.say_of("equal", column, value=story.write(low.value, column)))
    words = {
        "low": story.reading.name(low.row),
        "low_value": story.write(low.value, column),
        "high": story.reading.name(high.row),
        "high_value": story.write(high.value, column),
    }
    if overall is None:
        return story.told(story.say_of("highest", column, **words), story.say("lowest", **words))
    lead = story.say_of("single", column, value=story.write(overall, column))
    return story.told(lead, story.say("extremes", **words))


def _only(story: Story, metric: MetricColumn, point: Point) -> Headline:
    value = story.write(point.value, metric.column)
    return story.told(story.say("only", name=story.reading.name(point.row), metric=metric.column.label, value=value))


def _ranking(story: Story, metric: MetricColumn, found: Numbers) -> Headline:
    from_top = _is_descending(story, metric)
    ranked = found.highest if from_top else found.lowest
    first, others = ranked[0], ranked[1 : 1 + MAX_LISTED]
    lead = story.say_of(
        "first_from_top" if from_top else "first_from_bottom",
        metric.column,
        name=story.reading.name(first.row),
        value=story.write(first.value, metric.column),
    )
    return story.told(lead, story.say("next", list=_items(story, metric, others))) if others else story.told(lead)


def _is_descending(story: Story, metric: MetricColumn) -> bool:
    order = story.reading.spec.order if story.reading.spec else ()
    return next((by.descending for by in order if by.by == metric.column.reference), True)


def _items(story: Story, metric: MetricColumn, found: tuple[Point, ...]) -> str:
    return listed(
        story.say("item", name=story.reading.name(point.row), value=story.write(point.value, metric.column))
        for point in found
    )


def _shares(story: Story, metric: MetricColumn, place: int) -> Headline:
    column = story.reading.table.columns[place]
    ranked = story.reading.numbers(place).highest
    lead = story.say(
        "share",
        name=story.reading.name(ranked[0].row),
        share=story.write(ranked[0].value, column),
        metric=_label_shared(story, metric),
    )
    others = [
        story.say("item", name=story.reading.name(point.row), value=story.write(point.value, column))
        for point in ranked[1 : 1 + MAX_LISTED]
    ]
    return story.told(lead, story.say("next", list=listed(others))) if others else story.told(lead)


def _label_shared(story: Story, metric: MetricColumn) -> str:
    known = next((m for m in story.reading.domain.metrics if m.name == metric.column.reference), None)
    return first_lower(known.names.in_locale(story.reading.locale) if known else metric.column.label)


def _compared(story: Story, metric: MetricColumn, found: Numbers) -> Headline:
    movers = _movers(story, metric)
    change = story.kpi("change", metric.column)
    now = story.overall(metric.column)
    if change is not None and now is not None:
        headline = tell_change(story, metric, now, change)
        return Headline(lead=headline.lead, rest=(*headline.rest, *movers))
    return _biggest_mover(story, metric, found, movers)


def _biggest_mover(story: Story, metric: MetricColumn, found: Numbers, movers: tuple[str, ...]) -> Headline:
    moves = [
        (abs(move), point) for point in _moved(story, metric) if (move := story.moved(point.row, metric)) is not None
    ]
    if not moves:
        return _breakdown(story, metric, found)
    _, most = max(moves, key=lambda pair: pair[0])
    lead = story.say(
        "mover",
        metric=metric.column.label,
        name=story.reading.name(most.row),
        change=story.write_moved(most.row, metric),
        value=story.write(most.value, metric.column),
    )
    return story.told(lead, *movers)


def _movers(story: Story, metric: MetricColumn) -> tuple[str, ...]:
    place = story.change_place(metric)
    moves = None if place is None else story.reading.numbers(place)
    if moves is None or moves.count < 2:
        return ()
    low, high = moves.lowest[0].row, moves.highest[0].row
    return (
        story.say(
            "movers",
            high=story.reading.name(high),
            high_change=story.write_moved(high, metric),
            low=story.reading.name(low),
            low_change=story.write_moved(low, metric),
        ),
    )


def _moved(story: Story, metric: MetricColumn) -> tuple[Point, ...]:
    """The rows that may have moved most and have a value now; of a long result those at its ends."""
    place = story.change_place(metric)
    if story.reading.profile is None or place is None:
        return story.reading.points(metric.value)
    moves = story.reading.numbers(place)
    now = ((as_number(point.row[metric.value]), point.row) for point in (*moves.highest, *moves.lowest))
    return tuple(Point(value=value, row=row) for value, row in now if value is not None)
