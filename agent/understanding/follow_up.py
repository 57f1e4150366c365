"""Whether a message changes the last question, and that question as parts."""

from dataclasses import replace

from agent.understanding.edit import opens_swap
from agent.understanding.edit_members import member_codes
from agent.understanding.edit_metrics import removed_metrics
from agent.understanding.edits import lone_number, removes_unit
from agent.understanding.mentions import Reading, opens_as_addition
from agent.understanding.names import is_metric
from agent.understanding.parts import Parts
from agent.understanding.reports import REPORTS
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain

_REPLACING = ("add", "remove", "instead", "change_to", "same", "order_by")
_EDITS = (*_REPLACING, "limit_word", "filter_word", "now", "all_of_them", "top_n", "bottom_n")


def is_follow_up(parts: Parts, reading: Reading, last: QuerySpec) -> bool:
    """Whether the message only makes sense after another one.

    It opens with 'and', edits by word ('add', 'without the limit'), or names no metric but something to change.
    A message with a metric and a period of its own stands alone.
    """
    alone = bool(parts.metrics and parts.period and not reading.has(*_REPLACING[:-1]))
    if alone:
        return False
    if set(last.metrics) < set(parts.metrics) and not parts.period:
        return True
    if set(parts.metrics) & set(last.metrics) and parts.filters and reading.has("only", "exclude"):
        return True
    if parts.metrics:
        gone = removed_metrics(reading)
        if gone & set(last.metrics) or set(parts.metrics) <= gone:
            return True
        return opens_as_addition(reading) or reading.has(*_REPLACING) or opens_swap(reading)
    renumbered = last.limit is not None and lone_number(reading) is not None
    numbered = bool(member_codes(reading, last.dimensions))
    unbucketed = last.grain is not None and removes_unit(reading)
    return _changes_something(parts) or reading.has(*_EDITS) or renumbered or numbered or unbucketed


def without_implied(parts: Parts, reading: Reading, last: QuerySpec, domain: Domain) -> Parts:
    """'The five dearest' of average prices: no metric is named, and what is ranked by is shown already."""
    if parts.rank is None or not parts.rank.limit or parts.period or any(is_metric(m) for m in reading.mentions):
        return parts
    shown, implied = ({domain.metric(name).unit for name in names} for names in (last.metrics, parts.metrics))
    return replace(parts, metrics=()) if last.dimensions and implied <= shown else parts


def _changes_something(parts: Parts) -> bool:
    return bool(
        parts.dimensions
        or parts.filters
        or parts.period
        or parts.grain
        or parts.rank
        or parts.having
        or parts.trend
        or parts.wants_previous
        or parts.wants_week
        or parts.wants_year
        or parts.share
        or parts.dimension_choice
        or parts.member_choice
    )


def parts_of(spec: QuerySpec) -> Parts:
    """A finished spec as parts, so that it can be changed and completed again."""
    comparison = spec.comparison
    over = spec.calculation.over if spec.calculation else None
    kind = spec.calculation.kind if spec.calculation else None
    return Parts(
        metrics=spec.metrics,
        dimensions=spec.dimensions,
        filters=spec.filters,
        period=spec.period,
        comparison=comparison if comparison and comparison.kind == "named" else None,
        wants_previous=comparison is not None and comparison.kind == "previous_period",
        wants_year=comparison is not None and comparison.kind == "previous_year",
        grain=spec.grain,
        having=spec.having,
        order=spec.order,
        limit=spec.limit,
        share=kind == "share",
        share_of_member=over if kind == "share" and over not in spec.dimensions else None,
        counted=over if kind == "count_members" else None,
        calculation=spec.calculation if kind not in ("share", "count_members") else None,
    )


def changes_chart_only(parts: Parts, reading: Reading) -> bool:
    """Whether the message only wishes for another chart."""
    wishes = parts.chart is not None or reading.has("chart", *REPORTS)
    return wishes and not parts.metrics and not _changes_something(parts) and not parts.blocking
