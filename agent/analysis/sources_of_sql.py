"""A domain's governed sources as sqlglot's optimizer takes them."""

from sqlglot import exp

from semantic_catalog.model import Domain


def schema_of(domain: Domain) -> dict[str, object]:
    """Sources and their columns, nested as they are named."""
    schema: dict[str, object] = {}
    for entity in domain.entities:
        level = schema
        *path, table = entity.source.split(".")
        for name in path:
            level = level.setdefault(name, {})  # type: ignore[assignment]  # every level but the last is a dict
        level[table] = {column.name: column.type for column in entity.columns}
    return schema


def source_name(table: exp.Table) -> str:
    """The table as the catalog names its source, in lower case."""
    return ".".join(part.name for part in table.parts).lower()
