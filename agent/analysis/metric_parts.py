"""What a metric is made of."""

import re

from semantic_catalog.model import Domain, Metric


def direct_parts(metric: Metric, domain: Domain) -> tuple[Metric, ...]:
    """The metrics a ratio divides or a derived metric combines; none for the other kinds."""
    match metric.kind:
        case "ratio":
            names = [str(metric.numerator), str(metric.denominator)]
        case "derived":
            names = re.findall(r"[^\W\d]\w*", metric.expression or "")
        case "simple" | "cumulative":
            names = []
    return tuple(m for m in domain.metrics if m.name in names and m.name != metric.name)


def measured_parts(metric: Metric, domain: Domain) -> tuple[Metric, ...]:
    """The metrics that read a measure, all the way down; the metric itself when it reads one."""
    if metric.measure is not None:
        return (metric,)
    return tuple(leaf for part in direct_parts(metric, domain) for leaf in measured_parts(part, domain))
