"""Whether the values of a metric may be summed to a total."""

import re

from agent.analysis.metric_parts import direct_parts
from agent.values.result import ResultColumn
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain, Measure, Metric

_SUMMED = ("sum", "count")


def is_additive(metric: Metric, domain: Domain) -> bool:
    """True when the metric of a whole is the sum of the metric of its parts, over time and over members.

    Sums and counts are; averages, extremes, distinct counts, ratios and running totals are not. A derived metric is
    when it only adds and subtracts metrics that are.
    """
    match metric.kind:
        case "simple":
            measures = _measures(metric, domain)
            return bool(measures) and all(measure.aggregation in _SUMMED for measure in measures)
        case "derived":
            return _is_sum_of_sums(metric, domain)
        case "ratio" | "cumulative":
            return False


def is_additive_column(column: ResultColumn, domain: Domain, spec: QuerySpec | None = None) -> bool:
    """Whether a result column holds plain values (now or before) of a metric of `domain` that may be summed.

    Rows of `spec` that are unlike each other (income beside cost) are never summed.
    """
    if column.name not in (column.reference, f"{column.reference}_previous"):
        return False
    metric = next((m for m in domain.metrics if m.name == column.reference), None)
    return metric is not None and is_additive(metric, domain) and not _mixes_unlike(metric, spec)


def _mixes_unlike(metric: Metric, spec: QuerySpec | None) -> bool:
    """A metric of unlike things is of one kind only where the question keeps to one of them."""
    kept = [each.dimension for each in (spec.filters if spec else ()) if each.include and len(each.values) == 1]
    return bool(metric.needs_one_of) and not set(kept) & set(metric.needs_one_of)


def _measures(metric: Metric, domain: Domain) -> tuple[Measure, ...]:
    return tuple(m for entity in domain.entities for m in entity.measures if m.name == metric.measure)


def _is_sum_of_sums(metric: Metric, domain: Domain) -> bool:
    expression = metric.expression or ""
    parts = direct_parts(metric, domain)
    names = set(re.findall(r"[^\W\d]\w*", expression))
    # Names, plus, minus and brackets; a lone number would be added once for the whole but once for every part.
    adds_only = re.fullmatch(r"(?:[^\W\d]\w*|[\s+\-()])+", expression) is not None
    return adds_only and len(parts) == len(names) > 0 and all(is_additive(part, domain) for part in parts)
