"""The parts of a statement that a change may touch, and which of two statements' parts differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from agent.values.feedback import Operation, OperationName
from semantic_catalog.model import DimensionName, Domain

Facet = Literal["sources", "columns", "conditions", "groups", "having", "order", "limit", "rest"]
FACETS: tuple[Facet, ...] = ("sources", "columns", "conditions", "groups", "having", "order", "limit", "rest")
_MAY_CHANGE: Mapping[OperationName, frozenset[Facet]] = {
    "set_limit": frozenset({"limit"}),
    "add_filter": frozenset({"conditions"}),
    "remove_filter": frozenset({"conditions"}),
    "replace_filter": frozenset({"conditions"}),
    "change_time_window": frozenset({"conditions"}),
    "add_dimension": frozenset({"columns", "groups"}),
    "remove_dimension": frozenset({"columns", "groups", "order"}),
    "change_grouping": frozenset({"columns", "groups", "order"}),
    "change_order": frozenset({"order"}),
    "add_metric": frozenset({"columns"}),
    "remove_metric": frozenset({"columns", "order"}),
    "replace_metric": frozenset({"columns", "order"}),
    "replace_source": frozenset({"sources", "columns", "conditions", "groups", "rest"}),
    "semantic_regeneration": frozenset(FACETS),
    "undo": frozenset(FACETS),
}

_REWRITTEN = ("replace_source", "semantic_regeneration", "undo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The columns that a domain's sources keep its dimensions and its times in."""

    dimensions: Mapping[DimensionName, frozenset[str]]
    times: frozenset[str]

    def of(self, dimension: DimensionName) -> frozenset[str]:
        """The columns of one dimension."""
        return self.dimensions.get(dimension, frozenset())


def places_in(domain: Domain) -> Places:
    """Every source's columns: a change may have moved the question to another source."""
    found: dict[DimensionName, set[str]] = {}
    for each in (each for entity in domain.entities for each in entity.dimensions):
        described = (each.label_column,) if each.label_column else ()
        found.setdefault(each.dimension, set()).update((each.column, *described))
    times = {entity.time.column for entity in domain.entities if entity.time}
    return Places(dimensions={name: frozenset(columns) for name, columns in found.items()}, times=frozenset(times))


def changed_facets(before: exp.Expr, after: exp.Expr) -> frozenset[Facet]:
    """The parts in which the two differ; the order of conditions and of joined sources says nothing."""
    one, other = _facets(before), _facets(after)
    return frozenset(facet for facet in FACETS if one[facet] != other[facet])


def surplus(before: exp.Expr, after: exp.Expr, asked: tuple[Operation, ...], places: Places) -> frozenset[str]:
    """What changed although nothing asked for it: parts of the statement, and columns that conditions are on.

    A condition that no wanted filter or window is about, or that holds another value than was asked for, is
    `condition:<column>`.
    """
    allowed = frozenset[Facet]().union(*(_MAY_CHANGE[each.name] for each in asked))
    found: set[str] = set(changed_facets(before, after) - allowed)
    if "conditions" in allowed and not any(each.name in _REWRITTEN for each in asked):
        found |= {f"condition:{column}" for column in _unasked_columns(before, after, asked, places)}
    return frozenset(found)


def _unasked_columns(before: exp.Expr, after: exp.Expr, asked: tuple[Operation, ...], places: Places) -> Iterator[str]:
    old, new = conditions_of(before), conditions_of(after)
    dated = any(each.name == "change_time_window" for each in asked)
    for condition in old ^ new:
        values = {literal.name for literal in condition.find_all(exp.Literal)}
        for column in {each.name for each in condition.find_all(exp.Column)}:
            if column in places.times:
                allowed = dated
            else:
                wanted = _values_for(column, asked, places)
                known = {v.name for part in old if _is_on(part, column) for v in part.find_all(exp.Literal)}
                allowed = wanted is not None and (condition in old or values <= wanted | known)
            if not allowed:
                yield column


def _values_for(column: str, asked: tuple[Operation, ...], places: Places) -> set[str] | None:
    """The values that the wanted filters on the column hold; None where no wanted filter is on it."""
    filters = [each.filter for each in asked if each.filter and column in places.of(each.filter.dimension)]
    return {value for item in filters for value in item.values} if filters else None


def _is_on(condition: exp.Expr, column: str) -> bool:
    return any(each.name == column for each in condition.find_all(exp.Column))


def _facets(tree: exp.Expr) -> Mapping[Facet, object]:
    selects = list(tree.find_all(exp.Select))
    return {
        "sources": frozenset(table.sql().lower() for table in tree.find_all(exp.Table)),
        "columns": tuple(tuple(each.sql() for each in select.expressions) for select in selects),
        "conditions": conditions_of(tree),
        "groups": tuple(_sql(select.args.get("group")) for select in selects),
        "having": tuple(_sql(select.args.get("having")) for select in selects),
        "order": tuple(_sql(select.args.get("order")) for select in selects),
        "limit": tuple(_sql(select.args.get("limit")) for select in selects),
        "rest": _rest(tree),
    }


def _sql(node: exp.Expr | None) -> str:
    return node.sql() if node is not None else ""


def conditions_of(tree: exp.Expr) -> frozenset[exp.Expr]:
    """Every condition of every part of the statement."""
    wheres = (select.args.get("where") for select in tree.find_all(exp.Select))
    return frozenset(part for where in wheres if where is not None for part in conjuncts(where.this))


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """The conditions that all have to hold."""
    node = node.unnest()
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def _rest(tree: exp.Expr) -> str:
    """The statement without the parts above: its nesting, joins and set operations."""
    bare = tree.copy()
    for select in list(bare.find_all(exp.Select)):
        for part in ("where", "group", "having", "order", "limit"):
            select.set(part, None)
        select.set("expressions", [exp.Star()])
    return bare.sql()
