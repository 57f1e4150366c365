"""Measures keep the business rules about the columns that they read."""

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from semantic_catalog.issues import Issue
from semantic_catalog.model import Dialect, Measure, RequiredFilter
from semantic_catalog.validate.rule import DomainSource


def measures_keep_required_filters(source: DomainSource) -> Iterator[Issue]:
    """A measure of a column that a rule is about has the rule's condition in its filter."""
    dialect = source.domain.dialect
    for entity in source.domain.entities:
        for rule in entity.required_filters:
            for measure in entity.measures:
                if _reads(measure, rule, dialect) and not _says(measure, rule, dialect):
                    message = f"'{measure.name}' must be filtered by {rule.column} = {rule.value}"
                    yield source.issue(message, "entities", entity.name, "measures", measure.name)


def _reads(measure: Measure, rule: RequiredFilter, dialect: Dialect) -> bool:
    tree = _tree(measure.expression, dialect)
    return tree is not None and any(column.name in rule.when_columns for column in tree.find_all(exp.Column))


def _says(measure: Measure, rule: RequiredFilter, dialect: Dialect) -> bool:
    tree = _tree(measure.filter or "", dialect)
    parts = tree.flatten() if isinstance(tree, exp.And) else (tree,)
    wanted = exp.column(rule.column).eq(exp.convert(rule.value))
    return any(part == wanted for part in parts)


def _tree(sql: str, dialect: Dialect) -> exp.Expr | None:
    """None for what the rule on expressions reports, and for nothing."""
    try:
        return sqlglot.parse_one(sql, dialect=dialect) if sql else None
    except SqlglotError:
        return None
