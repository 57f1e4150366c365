"""Headlines of one figure, alone or against an earlier period."""

from decimal import Decimal

from agent.analysis.headline import Headline, Story, listed
from agent.analysis.layout import MetricColumn
from agent.values.result import Kpi


def tell_single(story: Story, metric: MetricColumn) -> Headline:
    """The figure, how it changed where that is known, and the other figures of the row."""
    value, change = story.figure(metric), story.kpi("change", metric.column)
    if value is None:
        return story.told(story.say("no_value", metric=metric.column.label))
    also = _also(story, metric)
    if change is not None:
        headline = tell_change(story, metric, value, change)
        return Headline(lead=headline.lead, rest=(*headline.rest, *also))
    return story.told(story.say_of("single", metric.column, value=story.write_whole(value, metric.column)), *also)


def tell_change(story: Story, metric: MetricColumn, now: Decimal, change: Kpi) -> Headline:
    """'Processed amount rose 4.2 % to S/ 12.4 M', from what and when."""
    column, before = metric.column, now - change.value
    earlier, current = story.write_both(before, now, column)
    words = {
        "metric": column.label,
        "value": current,
        "previous": earlier,
        "change": story.change(change, column, signed=False),
        "period": story.period(),
        "previous_period": story.previous_period(),
    }
    if earlier == current:
        return Headline(lead=story.say("stayed", **words), rest=(story.say("stayed_when", **words),))
    if before == 0:
        lead = story.say_of("single", column, value=words["value"])
        return story.told(lead, story.say("was_before", **words))
    return Headline(
        lead=story.say("rose" if change.value > 0 else "fell", **words), rest=(story.say("rose_when", **words),)
    )


def _also(story: Story, metric: MetricColumn) -> tuple[str, ...]:
    others = [
        story.say("also_item", metric=other.column.label, value=story.write(value, other.column))
        for other in story.reading.layout.metrics
        if other is not metric and (value := story.figure(other)) is not None
    ]
    return (story.say("also", list=listed(others, "; ")),) if others else ()
