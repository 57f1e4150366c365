"""A metric as arithmetic over leaves: the simple metrics that one measure of one entity gives."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import sqlglot
from sqlglot import exp

from agent.errors import SpecNotCompilable
from agent.sql.compile.exactness import keeps_digits
from semantic_catalog.model import Domain, Entity, Metric, MetricName

Leaf = Callable[[Metric], exp.Expr]
_Item = TypeVar("_Item", Metric, Entity)

# Integer sums would divide to an integer; MySQL keeps as many digits of a quotient as its dividend has, and four.
_ONE = {"mysql": "1.000000"}


def metric_of(domain: Domain, name: str) -> Metric:
    """The metric; raises `SpecNotCompilable` when the domain has none of that name."""
    try:
        return domain.metric(MetricName(name))
    except KeyError:
        raise SpecNotCompilable(f"no metric {name} in {domain.name}") from None


def leaves_of(metric: Metric, domain: Domain) -> tuple[Metric, ...]:
    """The simple or cumulative metrics that `metric` is computed from, each once."""
    if metric.kind in ("simple", "cumulative"):
        return (metric,)
    return unique(leaf for name in _parts(metric, domain) for leaf in leaves_of(metric_of(domain, name), domain))


def is_additive(metric: Metric, domain: Domain) -> bool:
    """Whether the metric of a whole is the sum of the metric of its parts."""
    if metric.kind == "derived":
        arithmetic = _expression(metric, domain).find(exp.Mul, exp.Div) is None
        return arithmetic and all(is_additive(metric_of(domain, name), domain) for name in _parts(metric, domain))
    measures = (entity.measure(metric.measure) for entity in domain.entities if metric.measure)
    aggregations = {measure.aggregation for measure in measures if measure}
    return metric.kind == "simple" and bool(aggregations) and aggregations <= {"sum", "count"}


def formula(metric: Metric, domain: Domain, leaf: Leaf) -> exp.Expr:
    """The metric's value, with `leaf` writing each simple metric in it. Dividing by zero gives NULL."""
    if metric.kind in ("simple", "cumulative"):
        return leaf(metric)
    if metric.kind == "derived":
        return _written(_expression(metric, domain), domain, leaf)
    top, bottom = (metric_of(domain, name) for name in _parts(metric, domain))
    return quotient(formula(top, domain, leaf), formula(bottom, domain, leaf), leaves_of(top, domain), domain)


def quotient(top: exp.Expr, bottom: exp.Expr, leaves: tuple[Metric, ...], domain: Domain) -> exp.Expr:
    """`top / bottom` that keeps its digits, NULL where `bottom` is zero. `leaves` are what `top` is made of."""
    exact = grouped(top)
    if not keeps_digits(leaves, domain):
        exact = exp.Mul(this=exp.Literal.number(_ONE.get(domain.dialect, "1.0")), expression=exact)
    return exp.Div(this=exact, expression=exp.Nullif(this=bottom, expression=exp.Literal.number(0)), typed=True)


def zero_filled(value: exp.Expr) -> exp.Expr:
    """The value, or 0 where no row counts in it. A sum over no row at all may stay unknown."""
    if isinstance(value, exp.Sum) and isinstance(value.this, exp.Case) and value.this.args.get("default") is None:
        return exp.Sum(this=value.this.else_(exp.Literal.number(0)))
    return exp.Coalesce(this=value, expressions=[exp.Literal.number(0)])


def named(value: exp.Expr, name: str) -> exp.Expr:
    """A copy of the value under the name, which a column of that name has already."""
    same = isinstance(value, exp.Column) and value.name == name
    return value.copy() if same else exp.alias_(value.copy(), name)


def grouped(value: exp.Expr) -> exp.Expr:
    """The value in parentheses where its operator would bind differently next to another."""
    return exp.Paren(this=value) if isinstance(value, exp.Binary) else value


def unique(items: Iterable[_Item]) -> tuple[_Item, ...]:
    """The items, each name once, in the order they first come."""
    return tuple({str(item.name): item for item in items}.values())


def _parts(metric: Metric, domain: Domain) -> tuple[str, ...]:
    if metric.kind == "derived":
        return _names_in(_expression(metric, domain))
    if metric.numerator is None or metric.denominator is None:
        raise SpecNotCompilable(f"ratio {metric.name} lacks a part")
    return (metric.numerator, metric.denominator)


def _names_in(node: exp.Expr) -> tuple[str, ...]:
    return tuple(dict.fromkeys(column.name for column in node.find_all(exp.Column, bfs=False)))


def _expression(metric: Metric, domain: Domain) -> exp.Expr:
    return sqlglot.parse_one(metric.expression or "", dialect=domain.dialect)


def _written(node: exp.Expr, domain: Domain, leaf: Leaf) -> exp.Expr:
    match node:
        case exp.Column():
            return grouped(formula(metric_of(domain, node.name), domain, leaf))
        case exp.Literal():
            return node.copy()
        case exp.Paren() | exp.Neg():
            return type(node)(this=_written(node.this, domain, leaf))
        case exp.Div():
            above = unique(part for name in _names_in(node.left) for part in leaves_of(metric_of(domain, name), domain))
            return quotient(_written(node.left, domain, leaf), _written(node.right, domain, leaf), above, domain)
        case exp.Mul():
            return exp.Mul(this=_written(node.left, domain, leaf), expression=_written(node.right, domain, leaf))
        case exp.Add() | exp.Sub():
            return type(node)(this=_term(node.left, domain, leaf), expression=_term(node.right, domain, leaf))
        case _:
            raise SpecNotCompilable(f"a derived metric cannot hold {node.key}")


def _term(node: exp.Expr, domain: Domain, leaf: Leaf) -> exp.Expr:
    """One side of a sum: a part without rows adds nothing, instead of making the whole unknown."""
    written = _written(node, domain, leaf)
    if isinstance(node, exp.Column) and is_additive(metric_of(domain, node.name), domain):
        return zero_filled(written)
    return written
