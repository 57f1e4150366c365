"""Rows of one entity as SQL: columns and joins, the filters and periods that keep rows, aggregates over them."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import sqlglot
from sqlglot import exp

from agent.errors import SpecNotCompilable
from agent.sql.compile.period_sql import Shift, bucket, within
from agent.sql.compile.relations import Hop, Reach, column_home, dimension_home
from agent.values.spec import MemberFilter, Period
from semantic_catalog.model import DimensionName, Domain, Entity, EntityDimension, Measure, Metric, TimeGrain

BEFORE_ALL_DATA = date(1900, 1, 1)
_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "sum": exp.Sum,
    "avg": exp.Avg,
    "min": exp.Min,
    "max": exp.Max,
    "count": exp.Count,
}
_NUMERIC = ("int", "serial", "numeric", "decimal", "double", "real", "float")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """An entity as one query reads it. `hops` are the joins taken; with any, columns carry their entity's name.

    `kept` are the filters of the measures read, where every measure has one: rows that meet none of them are not read,
    so that a member without any figure makes no row.
    """

    entity: Entity
    domain: Domain
    hops: tuple[Hop, ...] = ()
    kept: tuple[str, ...] = ()


def rows_of(entity: Entity, domain: Domain, dimensions: tuple[DimensionName, ...], leaves: tuple[Metric, ...]) -> Rows:
    """The entity with the joins that these dimensions and metrics need."""
    homes = [_dimension(entity, domain, name)[0] for name in dimensions]
    homes += [_column(entity, domain, name) for leaf in leaves for name in _measured_columns(leaf, entity, domain)]
    hops = {hop.right.name: hop for reach in homes for hop in reach.hops}
    return Rows(entity=entity, domain=domain, hops=tuple(hops.values()), kept=_kept(entity, leaves))


def _kept(entity: Entity, leaves: tuple[Metric, ...]) -> tuple[str, ...]:
    """A count of nothing is a figure, zero; every other measure of nothing is none."""
    measures = [_measure(leaf, entity) for leaf in leaves]
    countless = all(not measure.aggregation.startswith("count") for measure in measures)
    filters = tuple(dict.fromkeys(measure.filter for measure in measures if measure.filter))
    return filters if countless and all(measure.filter for measure in measures) else ()


def read_from(select: exp.Select, rows: Rows) -> exp.Select:
    """The select, reading these rows. Joins keep every row of the entity."""
    table = exp.to_table(rows.entity.source, dialect=rows.domain.dialect)
    if not rows.hops:
        return select.from_(table)
    joined = select.from_(_called(table, rows.entity))
    for hop in rows.hops:
        other = _called(exp.to_table(hop.right.source, dialect=rows.domain.dialect), hop.right)
        on = (
            exp.column(left, table=hop.left.name).eq(exp.column(right, table=hop.right.name)) for left, right in hop.on
        )
        joined = joined.join(other, on=exp.and_(*on), join_type="left")
    return joined


def _called(table: exp.Table, entity: Entity) -> exp.Expr:
    return table if table.name == entity.name else exp.alias_(table, entity.name, table=True)


def dimension_column(rows: Rows, dimension: DimensionName) -> exp.Expr:
    """The column with the dimension's member values."""
    reach, mapping = _dimension(rows.entity, rows.domain, dimension)
    return _qualified(rows, reach, mapping.column)


def label_column(rows: Rows, dimension: DimensionName) -> exp.Expr:
    """The column with the members' descriptions."""
    reach, mapping = _dimension(rows.entity, rows.domain, dimension)
    if mapping.label_column is None:
        raise SpecNotCompilable(f"{reach.entity.name} does not describe {dimension}")
    return _qualified(rows, reach, mapping.label_column)


def time_bucket(rows: Rows, grain: TimeGrain, shift: Shift | None) -> exp.Expr:
    """The first day of each row's bucket."""
    clock = rows.entity.time
    if clock is None:
        raise SpecNotCompilable(f"{rows.entity.name} has no time column")
    column = _qualified(rows, Reach(entity=rows.entity), clock.column)
    return bucket(column, clock, grain, rows.domain, shift)


def in_period(rows: Rows, period: Period) -> exp.Expr:
    """Rows of the period. Where policy asks for a bounded read, an open period begins before any data does."""
    clock = rows.entity.time
    if clock is None:
        raise SpecNotCompilable(f"{rows.entity.name} has no time column")
    if period.start is None and rows.entity.time_policy.required:
        period = replace(period, start=BEFORE_ALL_DATA)
    return within(_qualified(rows, Reach(entity=rows.entity), clock.column), clock, period, rows.domain)


def with_members(rows: Rows, wanted: MemberFilter) -> exp.Expr:
    """Rows of the filter's members; a row without a member is kept when members are left out."""
    reach, mapping = _dimension(rows.entity, rows.domain, wanted.dimension)
    column = _qualified(rows, reach, mapping.column)
    values = [_value(text, _sql_type(reach.entity, mapping.column)) for text in wanted.values]
    return members_condition(column, values, wanted.include)


def members_condition(column: exp.Expr, values: list[exp.Expr], include: bool) -> exp.Expr:
    """`column` is one of `values`, or is not; without values, whether it is empty."""
    if not values:
        empty = exp.Is(this=column, expression=exp.null())
        return empty if include else exp.not_(empty)
    listed = column.eq(values[0]) if len(values) == 1 else column.isin(*values)
    if include:
        return listed
    absent = column.neq(values[0]) if len(values) == 1 else exp.not_(listed)
    return exp.paren(exp.or_(absent, exp.Is(this=column.copy(), expression=exp.null())))


def required_conditions(rows: Rows, filters: tuple[MemberFilter, ...]) -> list[exp.Expr]:
    """The entity's standing filters, but for a column whose members the question itself names.

    Those about single columns are not among them: the measures that read the columns say them.
    """
    named = {_dimension(rows.entity, rows.domain, f.dimension)[1].column for f in filters if f.include}
    return [
        _qualified(rows, Reach(entity=rows.entity), rule.column).eq(exp.convert(rule.value))
        for rule in rows.entity.required_filters
        if rule.column not in named and not rule.when_columns
    ]


def measured_conditions(rows: Rows) -> list[exp.Expr]:
    """Rows that any of the measures counts in; none where all rows may count."""
    return [_any_of([_parsed(rows, text) for text in rows.kept])] if rows.kept else []


def _any_of(conditions: list[exp.Expr]) -> exp.Expr:
    """One of the conditions; those that each want one value of the same column become a list."""
    if len(conditions) == 1:
        return conditions[0]
    columns = {condition.left for condition in conditions if isinstance(condition, exp.EQ)}
    values = [c.right for c in conditions if isinstance(c, exp.EQ) and isinstance(c.right, exp.Literal)]
    if len(columns) == 1 and len(values) == len(conditions):
        return columns.pop().isin(*values)
    return exp.or_(*conditions)


def aggregate(rows: Rows, leaf: Metric, condition: exp.Expr | None = None) -> exp.Expr:
    """The metric's measure over the rows, or over those that meet `condition`."""
    measure = _measure(leaf, rows.entity)
    kept_already = rows.kept == (measure.filter,)
    conditions = [_parsed(rows, measure.filter)] if measure.filter and not kept_already else []
    conditions += [condition] if condition else []
    counts_rows = measure.expression.strip() == "*"
    if counts_rows and not conditions:
        return exp.Count(this=exp.Star())
    value = exp.Literal.number(1) if counts_rows else _parsed(rows, measure.expression)
    if conditions:
        value = exp.Case().when(exp.and_(*(c.copy() for c in conditions)), value)
    if measure.aggregation == "count_distinct":
        return exp.Count(this=exp.Distinct(expressions=[value]))
    return _AGGREGATES[measure.aggregation](this=value)


def member_value(entity: Entity, domain: Domain, dimension: DimensionName, text: str) -> exp.Expr:
    """A member as a literal of its column's type."""
    reach, mapping = _dimension(entity, domain, dimension)
    return _value(text, _sql_type(reach.entity, mapping.column))


def dimension_type(entity: Entity, domain: Domain, dimension: DimensionName) -> str:
    """The SQL type of the dimension's member values."""
    reach, mapping = _dimension(entity, domain, dimension)
    return _sql_type(reach.entity, mapping.column)


def _dimension(entity: Entity, domain: Domain, name: DimensionName) -> tuple[Reach, EntityDimension]:
    home = dimension_home(entity, domain, name)
    if home is None:
        raise SpecNotCompilable(f"{entity.name} has no dimension {name}")
    return home.reach, home.mapping


def _column(entity: Entity, domain: Domain, name: str) -> Reach:
    reach = column_home(entity, domain, name)
    if reach is None:
        raise SpecNotCompilable(f"{entity.name} finds no column {name}")
    return reach


def _measure(leaf: Metric, entity: Entity) -> Measure:
    measure = entity.measure(leaf.measure) if leaf.measure else None
    if measure is None:
        raise SpecNotCompilable(f"{entity.name} does not measure {leaf.name}")
    return measure


def _measured_columns(leaf: Metric, entity: Entity, domain: Domain) -> list[str]:
    measure = _measure(leaf, entity)
    texts = [text for text in (measure.expression, measure.filter) if text and text.strip() != "*"]
    trees = (sqlglot.parse_one(text, dialect=domain.dialect) for text in texts)
    return [column.name for tree in trees for column in tree.find_all(exp.Column)]


def _parsed(rows: Rows, text: str) -> exp.Expr:
    def qualify(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        return _qualified(rows, _column(rows.entity, rows.domain, node.name), node.name)

    return sqlglot.parse_one(text, dialect=rows.domain.dialect).transform(qualify)


def _qualified(rows: Rows, reach: Reach, column: str) -> exp.Expr:
    return exp.column(column, table=reach.entity.name if rows.hops else None)


def _sql_type(entity: Entity, column: str) -> str:
    return next((own.type for own in entity.columns if own.name == column), "text")


def _value(text: str, sql_type: str) -> exp.Expr:
    if sql_type.startswith("bool"):
        return exp.convert(text.lower() in ("true", "1"))
    if any(word in sql_type for word in _NUMERIC):
        return exp.convert(Decimal(text))
    return exp.Literal.string(text)
