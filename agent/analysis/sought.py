"""Which members of which dimensions a statement looks for."""

from collections.abc import Iterable, Iterator, Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from agent.analysis.sources_of_sql import qualified, source_name
from agent.sql.dialects import dialect_of, render
from agent.values.spec import MemberFilter, QuerySpec
from semantic_catalog.model import DimensionName, Domain, Entity


def sought_members(spec: QuerySpec | None, sql: str, domain: Domain) -> tuple[MemberFilter, ...]:
    """What the spec keeps; of SQL that was written, what its conditions compare dimensions with."""
    if spec is not None:
        return tuple(each for each in spec.filters if each.include)
    try:
        tree = qualified(sql, domain)
        found = {each: None for scope in traverse_scope(tree) for each in _in_scope(scope, domain)}
    except (SqlglotError, RecursionError):
        return ()
    return tuple(found)


def respelled(sql: str, domain: Domain, spellings: Mapping[tuple[DimensionName, str], str]) -> str:
    """The statement with those members of its conditions written otherwise; as it was where it cannot be read."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect_of(domain.dialect))
    except (SqlglotError, RecursionError):
        return sql
    for condition in list(tree.find_all(exp.EQ, exp.In)):
        column, _ = _compared(condition)
        here = _spelled_in(column, domain, spellings) if column is not None else {}
        for literal in list(condition.find_all(exp.Literal)):
            if literal.is_string and literal.name in here:
                literal.replace(exp.Literal.string(here[literal.name]))
    return render(tree, domain.dialect, pretty=True)


def _spelled_in(
    column: exp.Column, domain: Domain, spellings: Mapping[tuple[DimensionName, str], str]
) -> dict[str, str]:
    """The spellings that concern a column of that name."""
    held = {_mapped(entity, column.name) for entity in domain.entities}
    return {typed: stored for (dimension, typed), stored in spellings.items() if dimension in held}


def _in_scope(scope: Scope, domain: Domain) -> Iterator[MemberFilter]:
    for condition in scope.find_all(exp.EQ, exp.In):
        column, values = _compared(condition)
        if column is None or condition.find_ancestor(exp.Not, exp.Case, exp.Select) is not scope.expression:
            continue
        table = scope.sources.get(column.table)
        dimension = _dimension(source_name(table), column.name, domain) if isinstance(table, exp.Table) else None
        if dimension is not None:
            yield MemberFilter(dimension=dimension, values=values)


def _compared(condition: exp.Expr) -> tuple[exp.Column | None, tuple[str, ...]]:
    """`column = 'x'`, `'x' = column` and `column IN ('x', 'y')`; no column for anything else."""
    if isinstance(condition, exp.In):
        return _sides(condition.this, condition.expressions)
    column, values = _sides(condition.this, (condition.expression,))
    return (column, values) if column is not None else _sides(condition.expression, (condition.this,))


def _sides(column: object, values: Iterable[object]) -> tuple[exp.Column | None, tuple[str, ...]]:
    texts = tuple(each.name for each in values if isinstance(each, exp.Literal) and each.is_string)
    return (column, texts) if isinstance(column, exp.Column) and texts else (None, ())


def _dimension(source: str, column: str, domain: Domain) -> DimensionName | None:
    entity = next((each for each in domain.entities if each.source.lower() == source), None)
    return _mapped(entity, column) if entity else None


def _mapped(entity: Entity, column: str) -> DimensionName | None:
    found = (each.dimension for each in entity.dimensions if each.column.lower() == column.lower())
    return next(found, None)
