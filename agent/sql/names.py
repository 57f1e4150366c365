"""Which relation a written name means. Where engines or settings differ, every relation it could mean is taken."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from agent.sql.facts import Output, Relation
from semantic_catalog.model import Dialect

Levels = tuple[tuple[Relation, ...], ...]

SYSTEM_SCHEMAS = frozenset(
    {"information_schema", "pg_catalog", "pg_toast", "mysql", "sys", "performance_schema", "system"}
)
SYSTEM_PREFIXES = ("pg_", "duckdb_", "pragma_", "sqlite_", "innodb_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An output that a name may mean. `level` counts the enclosing queries, 0 for the block itself."""

    level: int
    relation: Relation
    output: Output


def folded(identifier: exp.Expr | None, dialect: Dialect) -> str:
    """The name as the engine compares it. MySQL's aliases may depend on case, so they keep theirs."""
    if not isinstance(identifier, exp.Identifier):
        return identifier.name if identifier else ""
    if dialect == "mysql" or (dialect == "postgres" and identifier.args.get("quoted")):
        return identifier.name
    return identifier.name.lower()


def candidates(column: exp.Column, levels: Levels, dialect: Dialect) -> tuple[Candidate, ...]:
    """Everything `column` may mean, innermost first; the search ends at the first exact match."""
    found: list[Candidate] = []
    for level, relations in enumerate(levels):
        matches = list(_in_level(column, level, relations, dialect))
        found.extend(candidate for candidate, _ in matches)
        if any(exact for _, exact in matches):
            break
    return tuple(found)


def _in_level(
    column: exp.Column, level: int, relations: tuple[Relation, ...], dialect: Dialect
) -> Iterator[tuple[Candidate, bool]]:
    for relation in relations:
        reach = _reaches(column, relation, dialect)
        for output in relation.outputs_named(column.name) if reach else ():
            exact = relation.source is not None or output.name == folded(column.this, dialect)
            yield Candidate(level=level, relation=relation, output=output), exact and reach == "exact"


def _reaches(column: exp.Column, relation: Relation, dialect: Dialect) -> str:
    qualifier = column.args.get("table")
    if qualifier is None:
        return "exact"
    name = folded(qualifier, dialect)
    if name.lower() != relation.alias.lower() or not _in_schema(column, relation):
        return ""
    return "exact" if name == relation.alias else "other case"


def _in_schema(column: exp.Column, relation: Relation) -> bool:
    schema = column.text("db").lower()
    return not schema or (relation.source is not None and relation.source.schema.lower() in {"", schema})


def is_system(table: exp.Table) -> bool:
    """Whether a table's name belongs to the engine rather than to anybody's data."""
    schemas = {table.text("db").lower(), table.text("catalog").lower()}
    return bool(schemas & SYSTEM_SCHEMAS) or table.name.lower().startswith(SYSTEM_PREFIXES)


def is_denied(column: exp.Column, levels: Levels, dialect: Dialect) -> bool:
    """Whether `column` may mean a column that exists and may not be read."""
    found = candidates(column, levels, dialect)
    reached = levels[: found[-1].level + 1] if found else levels
    return any(
        relation.source is not None and relation.source.denies(column.name) and _reaches(column, relation, dialect)
        for relations in reached
        for relation in relations
    )


def is_shadowed(found: Candidate, levels: Levels) -> bool:
    """Whether an inner relation has the same name as the outer one that `found` belongs to."""
    inner = (relation for relations in levels[: found.level] for relation in relations)
    return any(relation.alias.lower() == found.relation.alias.lower() for relation in inner)
