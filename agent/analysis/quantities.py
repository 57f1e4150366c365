"""Which quantity each column of written SQL holds, traced through the statement to the catalog's measures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope

from agent.analysis.sources_of_sql import qualified, source_name
from agent.sql.dialects import dialect_of
from semantic_catalog.model import Domain, Entity, Metric, MetricFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """How numbers of a column are written."""

    format: MetricFormat
    unit: str | None = None


Quantities = Mapping[str, Quantity | None]
COUNT = Quantity(format="count")
_FRACTION = Quantity(format="percent")

# Their result is of the same quantity as their argument.
_KEEPS = (
    exp.Sum, exp.Min, exp.Max, exp.Abs, exp.Round, exp.Ceil, exp.Floor, exp.Neg, exp.Paren, exp.Cast, exp.TryCast,
    exp.Alias, exp.Filter, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.Distinct,
)  # fmt: skip
# So is theirs, but of whole things they make parts.
_DIVIDES = (exp.Avg, exp.Median)
_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct)
_CHOOSES = (exp.Coalesce, exp.Case, exp.If, exp.Add, exp.Sub, exp.Greatest, exp.Least)
_PICKS = (exp.PercentileCont, exp.PercentileDisc)
_SUMMED = ("sum", "avg", "min", "max")


def quantities_of(sql: str, domain: Domain) -> tuple[Quantity | None, ...]:
    """One for each column, in order; None for what is no measure of the catalog or nothing that SQL says it is.

    Empty where the statement cannot be traced.
    """
    try:
        scope = build_scope(qualified(sql, domain))
        return _Tracer(domain).columns(scope) if scope else ()
    except (SqlglotError, RecursionError):
        return ()


class _Tracer:
    """Follows expressions through the blocks of one statement."""

    def __init__(self, domain: Domain) -> None:
        self._sources = {entity.source.lower(): entity for entity in domain.entities}
        self._measured = _measured(domain)
        self._known: dict[int, tuple[Quantity | None, ...]] = {}

    def columns(self, scope: Scope) -> tuple[Quantity | None, ...]:
        """The quantities of the scope's columns; of a union, where both sides agree."""
        if id(scope) not in self._known:
            self._known[id(scope)] = tuple(self._columns(scope))
        return self._known[id(scope)]

    def _columns(self, scope: Scope) -> Iterator[Quantity | None]:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            left, right = (self.columns(side) for side in scope.set_operation_scopes)
            yield from (one if one == other else None for one, other in zip(left, right, strict=False))
        elif isinstance(query, exp.Query):
            yield from (self._of(select, scope) for select in query.selects)

    def _of(self, node: exp.Expr, scope: Scope) -> Quantity | None:
        known = self._measured.get(self._written(node, scope))
        if known is not None:
            return known
        match node:
            case exp.Column():
                return self._of_column(node, scope)
            case exp.Window() | exp.WithinGroup():
                return self._of_call(node, scope)
            case exp.Subquery():
                return self._of_subquery(node, scope)
            case exp.Mul():
                return self._of_product(node, scope)
            case exp.Div():
                return _quotient(self._of(node.left, scope), self._of(_divisor(node), scope))
        return self._of_parts(node, scope)

    def _of_parts(self, node: exp.Expr, scope: Scope) -> Quantity | None:
        if isinstance(node, _COUNTS):
            return COUNT
        if isinstance(node, _CHOOSES):
            return _common(self._of(part, scope) for part in _alternatives(node))
        if isinstance(node, _DIVIDES):
            return _in_parts(self._of(node.this, scope))
        return self._of(node.this, scope) if isinstance(node, _KEEPS) else None

    def _of_column(self, column: exp.Column, scope: Scope) -> Quantity | None:
        source = scope.sources.get(column.table)
        if not isinstance(source, Scope) or not isinstance(source.expression, exp.Query):
            return None
        names = [name.lower() for name in source.expression.named_selects]
        found = self.columns(source)
        place = names.index(column.name.lower()) if column.name.lower() in names else len(found)
        return found[place] if place < len(found) else None

    def _of_call(self, node: exp.Window | exp.WithinGroup, scope: Scope) -> Quantity | None:
        called = node.this
        if isinstance(called, _PICKS) and isinstance(node, exp.WithinGroup):
            ordered = node.expression.expressions
            return _in_parts(self._of(ordered[0].this, scope)) if len(ordered) == 1 else None
        if isinstance(called, (exp.RowNumber, exp.Rank, exp.DenseRank)):
            return COUNT
        return self._of(called, scope)

    def _of_subquery(self, node: exp.Subquery, scope: Scope) -> Quantity | None:
        inner = next((each for each in scope.subquery_scopes if each.expression is node.this), None)
        found = self.columns(inner) if inner else ()
        return found[0] if len(found) == 1 else None

    def _of_product(self, node: exp.Mul, scope: Scope) -> Quantity | None:
        """A quantity times a plain fraction; a multiple like `* 100` is another number."""
        left, right = (self._of(side, scope) for side in (node.left, node.right))
        return left if right == _FRACTION else right if left == _FRACTION else None

    def _written(self, node: exp.Expr, scope: Scope) -> str:
        """The expression with its columns by source; '' where one is none of a source."""
        if not isinstance(node, (exp.Column, exp.Mul, exp.Add, exp.Sub, exp.Paren)):
            return ""
        copied = node.copy()
        for column in [copied] if isinstance(copied, exp.Column) else list(copied.find_all(exp.Column)):
            table = scope.sources.get(column.table)
            entity = self._sources.get(source_name(table)) if isinstance(table, exp.Table) else None
            if entity is None:
                return ""
            column.set("table", exp.to_identifier(entity.name))
        return _plain(copied)


def _measured(domain: Domain) -> dict[str, Quantity | None]:
    """Measures' expressions and what they are of; None where two metrics write the same expression differently."""
    found: dict[str, Quantity | None] = {}
    for entity in domain.entities:
        for written, quantity in _of_entity(entity, domain):
            found[written] = quantity if found.get(written, quantity) == quantity else None
    return found


def _of_entity(entity: Entity, domain: Domain) -> Iterator[tuple[str, Quantity]]:
    for measure in entity.measures:
        if measure.aggregation not in _SUMMED:
            continue
        tree = sqlglot.parse_one(measure.expression, dialect=dialect_of(domain.dialect))
        for column in tree.find_all(exp.Column):
            if not column.table:
                column.set("table", exp.to_identifier(entity.name))
        for metric in domain.metrics:
            if metric.measure == measure.name:
                yield _plain(tree), _quantity(metric)


def _quantity(metric: Metric) -> Quantity:
    return Quantity(format=metric.format, unit=metric.unit)


def _plain(tree: exp.Expr) -> str:
    return tree.sql(identify=False, normalize=True, comments=False).replace('"', "").lower()


def _alternatives(node: exp.Expr) -> Iterator[exp.Expr]:
    """What the value of the node may be; plain numbers are of any quantity."""
    match node:
        case exp.Case():
            parts = [*(branch.args["true"] for branch in node.args["ifs"]), node.args.get("default")]
        case exp.If():
            parts = [node.args["true"], node.args.get("false")]
        case exp.Add() | exp.Sub():
            parts = [node.left, node.right]
        case _:
            parts = [node.this, *node.expressions]
    yield from (part for part in parts if part is not None and not isinstance(part, (exp.Literal, exp.Null)))


def _common(found: Iterable[Quantity | None]) -> Quantity | None:
    kinds = set(found)
    return kinds.pop() if len(kinds) == 1 else None


def _divisor(node: exp.Div) -> exp.Expr:
    """`x / nullif(y, 0)` divides by y."""
    right = node.right
    return right.this if isinstance(right, exp.Nullif) else right


def _quotient(top: Quantity | None, bottom: Quantity | None) -> Quantity | None:
    """Alike by alike is a fraction; money or tonnes by things is money or tonnes a thing."""
    if top is None or bottom is None:
        return None
    if top == bottom:
        return _FRACTION
    return top if bottom == COUNT and top.format in ("amount", "decimal") else None


def _in_parts(quantity: Quantity | None) -> Quantity | None:
    """A mean of counts has decimals."""
    return replace(quantity, format="decimal") if quantity is not None and quantity.format == "count" else quantity
