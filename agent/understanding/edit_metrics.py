"""The metrics of the last question with what a message adds, takes out or swaps."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.understanding.edit import Edit, opens_swap
from agent.understanding.mentions import Reading
from agent.understanding.names import is_metric
from agent.understanding.parts import Choice, Parts
from agent.understanding.sorting import sorting_metrics
from semantic_catalog.model import Domain, MetricName

_WORTH = ("best", "worst", "high", "low")


def metrics_edited(base: Parts, edit: Edit) -> Parts:
    """The base with its metrics as the message changes them."""
    named = edit.parts.metrics
    swapped, gone = _swapped_metrics(edit), removed_metrics(edit.reading)
    if swapped:
        rest = [name for name in base.metrics if name not in swapped]
        return _with_metrics(base, tuple(dict.fromkeys((*rest, *(n for n in named if n not in swapped)))) or named)
    if any(_goes_with(name, gone, edit.domain) for name in base.metrics):
        kept = tuple(name for name in base.metrics if not _goes_with(name, gone, edit.domain))
        base = _with_metrics(base, kept) if kept else base
    if gone:
        named = tuple(name for name in _said_metrics(edit) if name not in gone)
    if not named or set(named) <= set(sorting_metrics(edit.reading)) & set(base.metrics):
        return base
    if edit.reading.has("add", "too", "order_by") or gone:
        return replace(base, metrics=tuple(dict.fromkeys((*base.metrics, *named))))
    return _with_metrics(base, named)


def unsettled_metric(edit: Edit) -> Choice | None:
    """'Add the margin', where there are two: which of them is asked, not left out."""
    choice = edit.parts.metric_choice
    edits = edit.reading.has("add", "too", "instead", "change_to") and not edit.reading.has(*_WORTH)
    return choice if edits and not edit.parts.metrics else None


def with_chosen_metric(parts: Parts, pinned: Sequence[tuple[str, str]]) -> Parts:
    """The parts with the metric that the asker chose of those that the word may mean."""
    choice = parts.metric_choice
    chosen = [value for slot, value in pinned if slot == "metric" and choice is not None and value in choice.names]
    return replace(parts, metrics=(MetricName(chosen[-1]),), metric_choice=None) if chosen else parts


def _said_metrics(edit: Edit) -> tuple[MetricName, ...]:
    """The metrics named word for word, without those that they bring along."""
    said = (term.name for m in edit.reading.mentions if is_metric(m) for term in m.of_kind("metric"))
    return tuple(dict.fromkeys(MetricName(name) for name in said))


def removed_metrics(reading: Reading) -> set[MetricName]:
    """The metrics named right after 'without' or 'remove'."""
    return _metrics_after(reading, "remove", "exclude")


def with_heard_removals(edit: Edit) -> Edit:
    """'Without opex' is no doubt: it goes, or it is said that it was not there."""
    said = {*_removals(edit.reading)}
    return replace(edit, parts=replace(edit.parts, blocking=tuple(w for w in edit.parts.blocking if w not in said)))


def _removals(reading: Reading) -> Iterator[str]:
    """'without the opex', word for word."""
    for mark in reading.with_rule("remove", "exclude"):
        after = reading.after(mark)
        if after is not None and is_metric(after):
            yield reading.text_of(mark.start, after.end)


def _metrics_after(reading: Reading, *rules: str) -> set[MetricName]:
    following = (reading.after(mark) for mark in reading.with_rule(*rules))
    return {MetricName(t.name) for m in following if m is not None and is_metric(m) for t in m.of_kind("metric")}


def _swapped_metrics(edit: Edit) -> set[MetricName]:
    """'replace revenue with EBITDA', 'EBITDA instead of revenue': what goes."""
    named = _metrics_after(edit.reading, "instead")
    opening = next((m for m in edit.reading.mentions if m.start >= 1 and not m.found), None)
    if opens_swap(edit.reading) and opening is not None and is_metric(opening):
        named |= {MetricName(term.name) for term in opening.of_kind("metric")}
    return named if set(_said_metrics(edit)) - named else set()


def _goes_with(name: MetricName, gone: set[MetricName], domain: Domain) -> bool:
    """Without the plan there is nothing to compare with it; without the difference, no difference in percent."""
    views = {domain.metric(each).view for each in gone}
    own = domain.metric(name).view
    return name in gone or ("budget" in views and own is not None) or ("variance" in views and own == "variance_pct")


def _with_metrics(base: Parts, metrics: tuple[MetricName, ...]) -> Parts:
    """The base with other metrics; what was sorted by a metric that is gone is sorted by the first one."""
    gone = set(base.metrics) - set(metrics)
    order = tuple(replace(item, by=metrics[0]) if item.by in gone else item for item in base.order)
    having = tuple(item for item in base.having if item.metric not in gone)
    return replace(base, metrics=metrics, order=order, having=having)
