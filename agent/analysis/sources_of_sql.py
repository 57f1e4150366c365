"""Written SQL with every column traced to a domain's governed sources, by sqlglot's optimizer."""

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.qualify import qualify

from agent.sql.dialects import dialect_of
from semantic_catalog.model import Domain


def qualified(sql: str, domain: Domain) -> exp.Expr:
    """The statement's tree; each column names its source. Raises sqlglot's `SqlglotError`, and `RecursionError`."""
    dialect = dialect_of(domain.dialect)
    tree = sqlglot.parse_one(sql, dialect=dialect)
    return qualify(tree, schema=_schema_of(domain), dialect=dialect, validate_qualify_columns=False)


def source_name(table: exp.Table) -> str:
    """The table as the catalog names its source, in lower case."""
    return ".".join(part.name for part in table.parts).lower()


def _schema_of(domain: Domain) -> dict[str, object]:
    """Sources and their columns, nested as they are named."""
    schema: dict[str, object] = {}
    for entity in domain.entities:
        level = schema
        *path, table = entity.source.split(".")
        for name in path:
            level = level.setdefault(name, {})  # type: ignore[assignment]  # every level but the last is a dict
        level[table] = {column.name: column.type for column in entity.columns}
    return schema
