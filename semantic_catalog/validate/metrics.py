"""A metric has the parts that its kind needs, no others, and all of them exist."""

from collections.abc import Iterator, Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Metric, MetricName
from semantic_catalog.reach import parts_of
from semantic_catalog.validate.rule import DomainSource

_PARTS: Mapping[str, frozenset[str]] = {
    "simple": frozenset({"measure"}),
    "cumulative": frozenset({"measure"}),
    "ratio": frozenset({"numerator", "denominator"}),
    "derived": frozenset({"expression"}),
}
_ARITHMETIC = (exp.Column, exp.Identifier, exp.Literal, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.Paren)


def metrics_have_their_parts(source: DomainSource) -> Iterator[Issue]:
    """Each kind of metric has its own keys: a ratio has a numerator and a denominator, never a measure."""
    for metric in source.domain.metrics:
        written = {part for part in frozenset().union(*_PARTS.values()) if getattr(metric, part) is not None}
        for part in sorted(_PARTS[metric.kind] - written):
            yield source.issue(f"a {metric.kind} metric needs '{part}'", "metrics", metric.name)
        for part in sorted(written - _PARTS[metric.kind]):
            yield source.issue(f"a {metric.kind} metric has no '{part}'", "metrics", metric.name, part)


def metric_parts_exist(source: DomainSource) -> Iterator[Issue]:
    """Measures are measures of some entity; numerators, denominators, names in expressions and offers are metrics."""
    domain = source.domain
    measures = {measure.name for entity in domain.entities for measure in entity.measures}
    metrics = {metric.name for metric in domain.metrics}
    counted = domain.counted_by
    if counted is not None and counted not in metrics:
        yield source.issue(f"unknown metric '{counted}'", "counted_by", suggestion=nearest(counted, metrics))
    for metric in domain.metrics:
        at = ("metrics", metric.name)
        if metric.measure is not None and metric.measure not in measures:
            hint = nearest(metric.measure, measures)
            yield source.issue(f"no entity has the measure '{metric.measure}'", *at, "measure", suggestion=hint)
        for key, part in (*_written_parts(metric), *(("instead", name) for name in metric.instead)):
            if part not in metrics:
                yield source.issue(f"unknown metric '{part}'", *at, key, suggestion=nearest(part, metrics))


def derived_metrics_are_arithmetic(source: DomainSource) -> Iterator[Issue]:
    """A derived expression parses and holds only metric names, numbers, brackets and + - * /."""
    for metric in source.domain.metrics:
        if metric.kind == "derived" and metric.expression is not None:
            fault = _arithmetic_fault(metric.expression)
            if fault:
                yield source.issue(fault, "metrics", metric.name, "expression")


def metrics_are_not_circular(source: DomainSource) -> Iterator[Issue]:
    """No metric is made of itself, however far down."""
    parts = {metric.name: tuple(part for _, part in _written_parts(metric)) for metric in source.domain.metrics}
    for name in parts:
        if name in _below(name, parts):
            yield source.issue(f"metric '{name}' is made of itself", "metrics", name)


def _written_parts(metric: Metric) -> Iterator[tuple[str, MetricName]]:
    if metric.kind == "derived":
        if metric.expression is not None and not _arithmetic_fault(metric.expression):
            yield from (("expression", part) for part in parts_of(metric))
        return
    if metric.numerator is not None:
        yield "numerator", metric.numerator
    if metric.denominator is not None:
        yield "denominator", metric.denominator


def _arithmetic_fault(expression: str) -> str:
    try:
        tree = sqlglot.parse_one(expression)
    except SqlglotError:
        return f"'{expression}' is not an expression"
    strange = next((node for node in tree.walk() if not isinstance(node, _ARITHMETIC)), None)
    return f"'{strange.sql()}' is not arithmetic over metrics" if strange is not None else ""


def _below(name: MetricName, parts: Mapping[MetricName, tuple[MetricName, ...]]) -> set[MetricName]:
    found: set[MetricName] = set()
    queue = [*parts.get(name, ())]
    while queue:
        part = queue.pop()
        if part not in found:
            found.add(part)
            queue.extend(parts.get(part, ()))
    return found
