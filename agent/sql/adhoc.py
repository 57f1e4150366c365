"""Guard scopes from plain JSON, for SQL that belongs to no domain of the catalog: linting, and judging the guard."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from agent.sql.scope import GovernedSource, GuardScope
from agent.values.identity import PrincipalId
from semantic_catalog.model import CatalogVersion, Column, Dialect, DomainName, TimeColumn, TimePolicy

Tables = Mapping[str, Mapping[str, str]]


class TimeFilterPart(BaseModel):
    """The column that a read must bound, and over how many days at most."""

    model_config = ConfigDict(frozen=True)

    column: str
    max_days: int | None = None


class AdhocPolicy(BaseModel):
    """Which tables and columns may be read, whose rows, over which time and how many. Unknown keys are comments."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    default_schema: dict[Dialect, str] = {}
    allowed_tables: dict[str, tuple[str, ...]] = {}
    blocked_columns: dict[str, tuple[str, ...]] = {}
    row_filters: dict[str, str] = {}
    time_filter: dict[str, TimeFilterPart] = {}
    max_rows: Annotated[int, Field(ge=1)] = 1_000
    types: dict[str, str] = {}

    def scope(self, dialect: Dialect) -> GuardScope:
        """The policy's own tables."""
        return GuardScope(
            dialect=dialect,
            sources=tuple(self._source(name) for name in self.allowed_tables),
            default_schema=self.default_schema.get(dialect, ""),
            **_nobody(self.max_rows),
        )

    def scope_of(self, dialect: Dialect, database: str, tables: Tables) -> GuardScope:
        """Every column of a database's tables, without row rules. `database` may be written as `group:name`."""
        return GuardScope(
            dialect=dialect,
            sources=tuple(
                GovernedSource(name=_known_as(name, dialect), columns=_columns(columns))
                for name, columns in tables.items()
            ),
            database_names=(database.rpartition(":")[2],),
            **_nobody(self.max_rows),
        )

    def _source(self, name: str) -> GovernedSource:
        bounded = self.time_filter.get(name)
        columns = {column: self.types.get(column, "text") for column in self.allowed_tables[name]}
        return GovernedSource(
            name=name,
            columns=_columns(columns),
            denied=self.blocked_columns.get(name, ()),
            row_filter=self.row_filters.get(name, ""),
            time=TimeColumn(column=bounded.column, kind="date", grain="day") if bounded else None,
            time_policy=TimePolicy(required=True, max_days=bounded.max_days) if bounded else TimePolicy(),
        )


class _Nobody(TypedDict):
    domain: DomainName
    principal: PrincipalId
    catalog_version: CatalogVersion
    row_limit: int


def _nobody(most: int) -> _Nobody:
    return _Nobody(domain=DomainName(""), principal=PrincipalId(""), catalog_version=CatalogVersion(""), row_limit=most)


def _columns(types: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name=name, type=kind.lower()) for name, kind in types.items())


def _known_as(table: str, dialect: Dialect) -> str:
    """MySQL has no schemas inside a database."""
    return table.rpartition(".")[2] if dialect == "mysql" else table
