"""The catalog of a file, inferred: what can be counted, what it can be split by, what dates its rows."""

from agent.values.file import FileColumn, FileTable
from semantic_catalog.model import (
    LOCALES,
    Column,
    Dimension,
    DimensionName,
    Domain,
    DomainName,
    Entity,
    EntityDimension,
    EntityName,
    Locale,
    Measure,
    MeasureName,
    Metric,
    MetricFormat,
    MetricName,
    Names,
    TimeColumn,
)

SCHEMA = "main"
COUNT = "count_of_rows"
# A text of more different values than this, nearly one a row, names rows and does not group them.
MOST_GROUPS = 1000
_SQL_TYPES = {"text": "varchar", "integer": "bigint", "decimal": "double", "date": "date", "timestamp": "timestamp"}
# Whole numbers that are called so, or that differ in every row, name things: they are not added up.
_NAMING_WORDS = """
    id code codigo kod number numero nomer no num order orden pedido zakaz invoice factura ticket zip ruc inn phone
    telefono year ano god month mes mesiats
"""
_NAMING = frozenset(_NAMING_WORDS.split())


def domain_of(
    name: DomainName,
    label: str,
    tables: tuple[FileTable, ...],
    counted: dict[Locale, str],
    timezone: str,
    locale: Locale,
) -> Domain:
    """One entity a table, each with a count of its rows (`counted` is its label) and a sum for each numeric column.

    Columns of percentages are averaged. Every text column with few enough values is a dimension; the first column of
    dates dates the rows. A name that several tables use gets the table's name in front. Labels are the headers as
    written, in every language. Tables that were left out are no part of it.
    """
    tables = tuple(table for table in tables if not table.left_out)
    several = len(tables) > 1
    entities = tuple(_entity(table, several, rank) for rank, table in enumerate(tables))
    return Domain(
        name=name,
        names=_same(label),
        warehouse=str(name),
        dialect="duckdb",
        timezone=timezone,
        owner="",
        locale=locale,
        entities=entities,
        dimensions=tuple(_dimension(table, column, several) for table in tables for column in grouping(table)),
        metrics=tuple(metric for table in tables for metric in _metrics(table, several, counted)),
    )


def grouping(table: FileTable) -> tuple[FileColumn, ...]:
    """The columns that rows are grouped by."""
    return tuple(column for column in table.columns if (column.use == "split" if column.use else _groups(column)))


def measured(table: FileTable) -> tuple[FileColumn, ...]:
    """The columns whose numbers are added up, or averaged where they are percentages."""
    return tuple(column for column in table.columns if column.type in ("integer", "decimal") and _is_measure(column))


def dating(table: FileTable) -> FileColumn | None:
    """The column that dates the rows: the one that was told, else the first of dates."""
    days = [column for column in table.columns if column.type in ("date", "timestamp")]
    told = [column for column in days if column.use == "time"]
    return next(iter(told or [column for column in days if column.use is None]), None)


def averaged(column: FileColumn) -> bool:
    """Whether a measured column is averaged, not added up."""
    return column.use == "average" or (column.use is None and column.percent)


def _is_measure(column: FileColumn) -> bool:
    return column.use in ("sum", "average") if column.use else not _names_things(column)


def _groups(column: FileColumn) -> bool:
    is_key = column.members > 20 and column.members >= 0.9 * column.filled
    kinds = column.type == "text" or (column.type == "integer" and _names_things(column))
    return kinds and 0 < column.members <= MOST_GROUPS and not is_key


def _names_things(column: FileColumn) -> bool:
    words = column.name.split("_")
    return column.type == "integer" and (words[0] in _NAMING or words[-1] in _NAMING)


def _entity(table: FileTable, several: bool, rank: int) -> Entity:
    time = dating(table)
    return Entity(
        name=EntityName(table.name),
        source=f"{SCHEMA}.{table.name}",
        names=_same(table.label),
        grain=(),
        columns=tuple(Column(name=column.name, type=_SQL_TYPES[column.type]) for column in table.columns),
        time=None
        if time is None
        else TimeColumn(column=time.name, kind="date" if time.type == "date" else "timestamp", grain="day"),
        dimensions=tuple(
            EntityDimension(dimension=DimensionName(_full(table, column.name, several)), column=column.name)
            for column in grouping(table)
        ),
        measures=(
            Measure(name=MeasureName(_full(table, COUNT, several)), expression="*", aggregation="count"),
            *(
                Measure(
                    name=MeasureName(_full(table, column.name, several)),
                    expression=column.name,
                    aggregation="avg" if averaged(column) else "sum",
                )
                for column in measured(table)
            ),
        ),
        cost_rank=rank,
    )


def _dimension(table: FileTable, column: FileColumn, several: bool) -> Dimension:
    return Dimension(
        name=DimensionName(_full(table, column.name, several)),
        names=_same(column.label),
        members_from="warehouse",
        cardinality=column.members,
    )


def _metrics(table: FileTable, several: bool, counted: dict[Locale, str]) -> tuple[Metric, ...]:
    rows = _full(table, COUNT, several)
    count = Metric(
        name=MetricName(rows), names=Names(label=counted), kind="simple", format="count", measure=MeasureName(rows)
    )
    return (count, *(_metric(table, column, several) for column in measured(table)))


def _metric(table: FileTable, column: FileColumn, several: bool) -> Metric:
    name = _full(table, column.name, several)
    format_of: MetricFormat = "percent" if column.percent else "decimal" if column.type == "decimal" else "count"
    return Metric(
        name=MetricName(name),
        names=_same(column.label),
        kind="simple",
        format=format_of,
        measure=MeasureName(name),
        direction="neutral",
    )


def _full(table: FileTable, name: str, several: bool) -> str:
    return f"{table.name}_{name}" if several else name


def _same(label: str) -> Names:
    return Names(label=dict.fromkeys(LOCALES, label))
