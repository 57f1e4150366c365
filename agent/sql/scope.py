"""What one principal may read in one domain, as the guard needs it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import sqlglot
from sqlglot import exp

from agent.sql.dialects import dialect_of, predicate
from agent.values.governance import SqlValue
from agent.values.identity import Principal, PrincipalId, RowRule
from semantic_catalog.model import (
    CatalogVersion,
    Column,
    Dialect,
    Domain,
    DomainName,
    Entity,
    Locale,
    MetricName,
    TimeColumn,
    TimePolicy,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRule:
    """Every read of the source says `column = value`; a person or the spec may name another value.

    With `when_columns`, every read of one of those columns does, of the whole source or only inside its aggregate.
    """

    column: str
    value: SqlValue
    when_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRule:
    """A read of one of `columns` joins `source` with `column` on both sides."""

    source: str
    column: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveMeasure:
    """What a sensitive metric is made of: `columns` of the source itself, in lower case.

    `kept_by` is the source, the column and the value that its rows are told by, where it is a plain comparison.
    """

    metric: MetricName
    columns: tuple[str, ...]
    kept_by: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GovernedSource:
    """A table or view that may be read, and how.

    `name` is written as in the catalog. `columns` may be read; `denied` exist and may not. `row_filter` is SQL over
    the source's own columns (empty: every row), `row_labels` says it in words. Reading the source at all, or one of
    `sensitive_columns`, is sensitive.
    """

    name: str
    columns: tuple[Column, ...]
    denied: tuple[str, ...] = ()
    row_filter: str = ""
    row_labels: tuple[tuple[tuple[Locale, str], ...], ...] = ()
    time: TimeColumn | None = None
    time_policy: TimePolicy = field(default_factory=TimePolicy)
    required_filters: tuple[FilterRule, ...] = ()
    required_joins: tuple[JoinRule, ...] = ()
    sensitive: bool = False
    sensitive_columns: tuple[str, ...] = ()
    sensitive_measures: tuple[SensitiveMeasure, ...] = ()

    @property
    def schema(self) -> str:
        """The schema part of the name; empty when the catalog writes none."""
        return self.name.rpartition(".")[0]

    @property
    def table(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    def denies(self, column: str) -> bool:
        """Whether the column exists and may not be read, in any spelling."""
        return column.lower() in {name.lower() for name in self.denied}


@dataclass(frozen=True, kw_only=True)
class GuardScope:
    """All the guard knows of the asker.

    `default_schema` is where the engine looks for sources that the catalog names without one; `database_names` are
    further names a query may write in its place, such as the database's own.
    """

    dialect: Dialect
    domain: DomainName
    sources: tuple[GovernedSource, ...]
    row_limit: int
    principal: PrincipalId
    catalog_version: CatalogVersion
    timezone: str = "UTC"
    default_schema: str = ""
    database_names: tuple[str, ...] = ()

    @cached_property
    def by_table(self) -> Mapping[str, tuple[GovernedSource, ...]]:
        """Sources by the last part of their name, in lower case."""
        found: dict[str, tuple[GovernedSource, ...]] = {}
        for source in self.sources:
            key = source.table.lower()
            found[key] = (*found.get(key, ()), source)
        return found

    @cached_property
    def filter_tables(self) -> frozenset[str]:
        """Tables that row rules read, by the last part of their name, in lower case: no query may give these names."""
        rules = [predicate(source.row_filter, self.dialect) for source in self.sources if source.row_filter]
        return frozenset(table.name.lower() for rule in rules for table in rule.find_all(exp.Table))


def scope_for(domain: Domain, principal: Principal, catalog_version: CatalogVersion) -> GuardScope:
    """What `principal` may read in `domain`. Nothing at all when the domain is not theirs."""
    visible = [entity for entity in domain.entities if principal.may_read(domain.name, entity.name)]
    return GuardScope(
        dialect=domain.dialect,
        domain=domain.name,
        sources=tuple(_governed(domain, entity, principal) for entity in visible),
        row_limit=principal.limits_in(domain.name).max_result_rows + 1,
        principal=principal.id,
        catalog_version=catalog_version,
        timezone=domain.timezone,
    )


def _governed(domain: Domain, entity: Entity, principal: Principal) -> GovernedSource:
    denied = {column.lower() for source, column in principal.denied_columns if _same(source, entity.source)}
    rules = [r for r in principal.row_rules if r.domain == domain.name and _same(r.source, entity.source)]
    return GovernedSource(
        name=entity.source,
        columns=tuple(column for column in entity.columns if column.name.lower() not in denied),
        denied=tuple(column.name for column in entity.columns if column.name.lower() in denied),
        row_filter=_all_of(rules),
        row_labels=tuple(rule.label for rule in rules),
        time=entity.time,
        time_policy=entity.time_policy,
        required_filters=tuple(
            FilterRule(column=f.column, value=f.value, when_columns=f.when_columns) for f in entity.required_filters
        ),
        required_joins=tuple(_join_rules(domain, entity)),
        sensitive=entity.sensitive,
        sensitive_columns=tuple(_sensitive_columns(domain, entity)),
        sensitive_measures=tuple(_sensitive_measures(domain, entity, principal)),
    )


def _same(left: str, right: str) -> bool:
    return left.lower() == right.lower()


def _all_of(rules: Iterable[RowRule]) -> str:
    return " AND ".join(f"({rule.predicate})" for rule in rules)


def _join_rules(domain: Domain, entity: Entity) -> Iterator[JoinRule]:
    for join in entity.required_joins:
        yield JoinRule(
            source=domain.entity(join.entity).source,
            column=join.column,
            columns=tuple(sorted(_measured_columns(domain.dialect, entity))),
        )


def _sensitive_columns(domain: Domain, entity: Entity) -> Iterator[str]:
    for held in entity.dimensions:
        if domain.dimension(held.dimension).sensitive:
            yield from (column for column in (held.column, held.label_column) if column)


def _sensitive_measures(domain: Domain, entity: Entity, principal: Principal) -> Iterator[SensitiveMeasure]:
    """Those of which the principal sees rows: from whom a restriction keeps them, row rules do."""
    own = {column.name.lower() for column in entity.columns}
    for metric in domain.metrics:
        measure = entity.measure(metric.measure) if metric.sensitive and metric.measure else None
        if measure is None or measure.restriction in principal.restrictions:
            continue
        tree = sqlglot.parse_one(measure.expression, dialect=dialect_of(domain.dialect))
        read = {column.name.lower() for column in tree.find_all(exp.Column)} & own
        yield SensitiveMeasure(
            metric=metric.name, columns=tuple(sorted(read)), kept_by=_kept_by(measure.filter, domain, entity)
        )


def _kept_by(condition: str | None, domain: Domain, entity: Entity) -> tuple[str, str, str] | None:
    tree = sqlglot.parse_one(condition, dialect=dialect_of(domain.dialect)) if condition else None
    if not (isinstance(tree, exp.EQ) and isinstance(tree.left, exp.Column) and isinstance(tree.right, exp.Literal)):
        return None
    joined = next((known.source for known in domain.entities if known.name == tree.left.table), entity.source)
    return joined, tree.left.name, tree.right.name


def _measured_columns(dialect: Dialect, entity: Entity) -> set[str]:
    own = {column.name.lower() for column in entity.columns}
    parts = [text for measure in entity.measures for text in (measure.expression, measure.filter) if text]
    trees = [sqlglot.parse_one(part, dialect=dialect_of(dialect)) for part in parts]
    read = {column.name.lower() for tree in trees for column in tree.find_all(exp.Column)}
    return read & own
