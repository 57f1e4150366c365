"""Whether a difference from the plan is good news: more income is, more cost is not."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from agent.analysis.headline import Story
from agent.analysis.layout import MetricColumn
from semantic_catalog.model import Metric

Favour = Literal["favourable", "unfavourable"]


def is_variance(story: Story, metric: MetricColumn) -> bool:
    """Whether the column is a difference from the plan that is better one way than the other."""
    return _variance(story, metric) is not None


def favours(story: Story) -> Iterator[str]:
    """One line for each such difference of the whole result: its figure, and whether that is favourable."""
    for metric in story.reading.layout.metrics:
        known, value = _variance(story, metric), _whole(story, metric)
        if known is not None and value:
            written = story.write(value, metric.column)
            yield story.say(_favour(known, value), metric=metric.column.label, value=written)


def _variance(story: Story, metric: MetricColumn) -> Metric | None:
    named = metric.column.name
    found = next((m for m in story.reading.domain.metrics if m.name == metric.column.reference == named), None)
    is_one = found is not None and found.view == "variance" and found.direction != "neutral"
    return found if is_one else None


def _whole(story: Story, metric: MetricColumn) -> Decimal | None:
    """The difference of everything: the only row's, else the total."""
    return story.overall(metric.column) if story.reading.layout.keys else story.figure(metric)


def _favour(metric: Metric, value: Decimal) -> Favour:
    return "favourable" if (value > 0) == (metric.direction == "up") else "unfavourable"
