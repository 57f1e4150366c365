"""Measures are SQL that the domain's engine reads, over columns that the entity or what it joins has."""

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Domain, Entity
from semantic_catalog.reach import related
from semantic_catalog.validate.rule import DomainSource

_FORBIDDEN = (exp.AggFunc, exp.Query, exp.Window, exp.Star, exp.Anonymous, exp.Command)


def expressions_read_known_columns(source: DomainSource) -> Iterator[Issue]:
    """Expressions and filters parse in the domain's dialect, read known columns, and leave aggregation to us."""
    for entity in source.domain.entities:
        for measure in entity.measures:
            at = ("entities", entity.name, "measures", measure.name)
            yield from _faults(source, entity, measure.expression, (*at, "expression"))
            if measure.filter is not None:
                yield from _faults(source, entity, measure.filter, (*at, "filter"))


def _faults(source: DomainSource, entity: Entity, sql: str, path: tuple[str, ...]) -> Iterator[Issue]:
    try:
        tree = sqlglot.parse_one(sql, dialect=source.domain.dialect)
    except SqlglotError:
        yield source.issue(f"'{sql}' is not an expression in {source.domain.dialect}", *path)
        return
    forbidden = tree.find(*_FORBIDDEN)
    if forbidden is not None:
        yield source.issue(f"'{forbidden.sql(source.domain.dialect)}' cannot stand in a measure", *path)
    tables = _columns_by_table(source.domain, entity)
    for column in tree.find_all(exp.Column):
        known = tables.get(column.table, frozenset()) if column.table else frozenset().union(*tables.values())
        if column.name not in known:
            message = f"'{column.sql()}' is not a column of '{entity.name}' or of what it joins"
            yield source.issue(message, *path, suggestion=nearest(column.name, known))


def _columns_by_table(domain: Domain, entity: Entity) -> dict[str, frozenset[str]]:
    return {table.name: frozenset(column.name for column in table.columns) for table in related(domain, entity.name)}
