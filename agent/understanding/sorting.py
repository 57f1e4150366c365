"""'Sort them by month', 'ordered by approval rate ascending': another order of the last answer."""

from dataclasses import replace

from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_dimension, is_metric
from agent.understanding.parts import Parts
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import OrderBy
from semantic_catalog.model import MetricName

TIME = "time"


def sorting_metrics(reading: Reading) -> tuple[MetricName, ...]:
    """The metrics that the message only sorts by."""
    following = (reading.after(mark) for mark in reading.with_rule("order_by"))
    return tuple(MetricName(m.of_kind("metric")[0].name) for m in following if m is not None and is_metric(m))


def sorted_as_said(base: Parts, reading: Reading) -> Parts:
    """The base in the order that the message asks for, where what it sorts by is in the answer; else as it was."""
    for mark in reading.with_rule("order_by"):
        by = _column(mark, reading, base)
        if by is not None:
            descending = _is_descending(reading, by not in (*base.dimensions, TIME))
            return replace(base, rank=None, order=(OrderBy(by=by, descending=descending),))
    return base


def _column(mark: Mention, reading: Reading, base: Parts) -> str | None:
    later = reading.after(mark)
    if later is not None and is_metric(later):
        return next((t.name for t in later.of_kind("metric") if t.name in base.metrics), None)
    if later is not None and is_dimension(later):
        return next((t.name for t in later.of_kind("dimension") if t.name in base.dimensions), None)
    return TIME if base.grain is not None and _is_unit(mark, reading) else None


def _is_unit(mark: Mention, reading: Reading) -> bool:
    words = vocabulary(reading.locale)
    return any(token.word in words.units for token in reading.tokens[mark.end : mark.end + 2])


def _is_descending(reading: Reading, otherwise: bool) -> bool:
    if reading.has("smallest_first"):
        return False
    return True if reading.has("largest_first") else otherwise
