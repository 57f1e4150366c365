"""A governed answer put beside a file: its rows as a table, and both as one domain that they are compared in."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pandas as pd

from agent.files.sheet import Sheet
from agent.values.file import Beside, ColumnType, FileColumn, FileTable
from agent.values.result import ResultColumn, ResultTable
from agent.values.spec import Period
from semantic_catalog.model import (
    Column,
    Dimension,
    Domain,
    DomainName,
    Entity,
    EntityDimension,
    EntityName,
    Measure,
    MeasureName,
    Metric,
    MetricName,
    Names,
    TimeColumn,
    TimeGrain,
)

TABLE = "governed_answer"
GRAINS: tuple[TimeGrain, ...] = ("day", "week", "month", "quarter", "year")
_ADDED = ("sum", "count")
_TYPES = {"text": "varchar", "integer": "bigint", "decimal": "double", "date": "date", "timestamp": "timestamp"}


def table_of(result: ResultTable) -> FileTable:
    """The result's columns as those of a table; its values are written out plainly, so that nothing has to be found."""
    columns = tuple(FileColumn(name=column.name, label=column.label, type=_type(column)) for column in result.columns)
    return FileTable(name=TABLE, label=TABLE, columns=columns, row_count=len(result.rows))


def write_rows(result: ResultTable, renamed: dict[tuple[str, str], str], path: Path) -> None:
    """The rows as a CSV; `renamed` gives a member of a column the name that the file has for it. Blocks."""
    names = [column.name for column in result.columns]
    with path.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        for row in result.rows:
            cells = ("" if value is None else str(value) for value in row)
            writer.writerow(renamed.get((name, cell), cell) for name, cell in zip(names, cells, strict=True))


def sheet_of(table: FileTable, path: Path) -> Sheet:
    """The rows that `write_rows` wrote."""

    def chunks() -> Iterator[pd.DataFrame]:
        names = list(range(len(table.columns)))
        yield pd.read_csv(path, header=None, names=names, dtype="str", keep_default_na=False)

    return Sheet(table=table, chunks=chunks)


def domain_beside(file: Domain, name: DomainName, ours: Beside, table: FileTable) -> Domain:
    """The file's domain with the governed metric in it. Its names say where each number is from."""
    label = {locale: f"{file.names.in_locale(locale)} + {ours.domain.in_locale(locale)}" for locale in file.names.label}
    measure = MeasureName(ours.column)
    metric = Metric(
        name=MetricName(_free(ours.metric.name, file)),
        names=ours.metric.names,
        kind="simple",
        format=ours.metric.format,
        measure=measure,
        unit=ours.metric.unit,
        direction=ours.metric.direction,
    )
    entity = Entity(
        name=EntityName(TABLE),
        source=f"main.{TABLE}",
        names=ours.domain,
        grain=(),
        columns=tuple(Column(name=column.name, type=_TYPES[column.type]) for column in table.columns),
        time=_time(ours),
        dimensions=tuple(EntityDimension(dimension=name, column=column) for name, column in ours.dimensions),
        # What does not add up has one row for each group that it is compared by: any aggregation gives its very value.
        measures=(Measure(name=measure, expression=ours.column, aggregation="sum" if ours.adds_up else "max"),),
        cost_rank=len(file.entities),
    )
    return replace(
        file,
        name=name,
        names=Names(label=label),
        warehouse=str(name),
        entities=(*file.entities, entity),
        metrics=(*file.metrics, metric),
    )


def metric_beside(file: Domain, ours: Beside) -> MetricName:
    """What the governed metric is called in the domain of both."""
    return MetricName(_free(ours.metric.name, file))


def shared_dimension(wanted: Dimension, file: Domain) -> Dimension | None:
    """The file's dimension of the same name or label as the governed one, in any language; None without one."""
    names = {wanted.name.casefold(), *_words(wanted.names)}
    return next((each for each in file.dimensions if {each.name.casefold(), *_words(each.names)} & names), None)


def grain_to_read(asked: TimeGrain | None, period: Period | None, *, is_additive: bool) -> TimeGrain | None:
    """At which grain a governed number is read to be compared at the `asked` one.

    Days or whole months, from which the rest is added up: a period that cuts a month or a week stays right then. What
    does not add up is read as it is asked.
    """
    if not is_additive:
        return asked
    return "month" if asked in ("month", "quarter", "year") and _is_whole_months(period) else "day"


def coarser(one: TimeGrain | None, other: TimeGrain | None) -> TimeGrain | None:
    """The coarser of two grains; None, all time, is the coarsest."""
    return None if one is None or other is None else max(one, other, key=GRAINS.index)


def adds_up(domain: Domain, name: MetricName) -> bool:
    """Whether the metric's values for parts of a group may be added up to the group's."""
    metric = domain.metric(name)
    measures = [each for entity in domain.entities for each in entity.measures if each.name == metric.measure]
    return metric.kind == "simple" and bool(measures) and all(each.aggregation in _ADDED for each in measures)


def _is_whole_months(period: Period | None) -> bool:
    if period is None or period.start is None:
        return True
    return period.start.day == 1 and (period.end + timedelta(days=1)).day == 1


def _time(ours: Beside) -> TimeColumn | None:
    if ours.time is None:
        return None
    return TimeColumn(column=ours.time, kind="month" if ours.grain == "month" else "date", grain=ours.grain or "day")


def _words(names: Names) -> set[str]:
    synonyms = (word for words in names.synonyms.values() for word in words)
    return {word.casefold() for word in (*names.label.values(), *synonyms)}


def _free(name: str, file: Domain) -> str:
    taken = {metric.name for metric in file.metrics} | {dimension.name for dimension in file.dimensions}
    return f"governed_{name}" if name in taken else name


def _type(column: ResultColumn) -> ColumnType:
    return "text" if column.type == "boolean" else column.type
