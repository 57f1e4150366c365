"""One table of a file: what its columns are, and its rows in typed batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pandas as pd

from agent.files.header import Header
from agent.files.names import sql_names
from agent.files.typed import typed_column
from agent.files.written import Evidence, Verdict, known_of, verdict
from agent.values.file import ColumnChange, FileColumn, FileTable, Remark, TableChange

Chunks = Callable[[], Iterator[pd.DataFrame]]
"""The rows as text, a column per label by position; may be asked for more than once."""

_TOTAL = r"(?:grand |gran )?(?:totals?|totales|subtotal|итого|всего|общий итог)[:.\s]*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table and where its rows come from."""

    table: FileTable
    chunks: Chunks

    def batches(self) -> Iterator[pd.DataFrame]:
        """The rows under the columns' SQL names, typed; rows without any value and sums below them are left out."""
        for chunk in self.chunks():
            rows = data_rows(chunk)
            named = zip(self.table.columns, rows.columns, strict=True)
            yield pd.DataFrame({column.name: typed_column(rows[place], column) for column, place in named})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a table stands in a file: its header and the rows below it."""

    name: str
    label: str
    header: Header
    chunks: Chunks
    remarks: tuple[Remark, ...] = ()


def describe(found: Found, prefers_comma: bool, told: TableChange) -> Sheet:
    """Reads all rows once and decides what each column is, unless it was `told`. Columns without a value stay text."""
    labels = tuple(_told_label(told, place) or label for place, label in enumerate(found.header.labels))
    seen = [Evidence() for _ in labels]
    count, sums = 0, 0
    for chunk in found.chunks():
        rows = data_rows(chunk)
        count, sums = count + len(rows), sums + int(_filled(chunk).sum()) - len(rows)
        for evidence, place in zip(seen, rows.columns, strict=True):
            evidence.add(rows[place])
    comma = prefers_comma or any(evidence.counts.get("comma") and not evidence.counts.get("dot") for evidence in seen)
    verdicts = [verdict(evidence, comma) for evidence in seen]
    names = sql_names(labels)
    columns = tuple(_column(names[at], labels[at], verdicts[at], evidence) for at, evidence in enumerate(seen))
    columns = tuple(as_told(column, told.column(at)) for at, column in enumerate(columns))
    more: tuple[Remark, ...] = ("totals_left_out",) if sums else ()
    table = FileTable(
        name=found.name,
        label=found.label,
        columns=with_misfits(columns, found.chunks),
        row_count=count,
        remarks=(*found.remarks, *more, *_assumed(verdicts, columns)),
        header_row=found.header.data_from if found.header.found else 0,
        left_out=told.left_out,
    )
    return Sheet(table=table, chunks=found.chunks)


def as_told(column: FileColumn, told: ColumnChange | None) -> FileColumn:
    """The column with what a person said about it."""
    if told is None:
        return column
    if told.type is not None:
        column = replace(column, type=told.type, percent=told.percent, is_told=True)
    if told.day_first is not None:
        column = replace(column, day_first=told.day_first, is_told=True)
    if told.decimal_comma is not None:
        column = replace(column, decimal_comma=told.decimal_comma, is_told=True)
    return replace(column, use=told.use)


def with_misfits(columns: tuple[FileColumn, ...], chunks: Chunks) -> tuple[FileColumn, ...]:
    """The columns, each told one with how many of its values are not of its type: the rows are read again for it."""
    told = [place for place, column in enumerate(columns) if column.is_told and column.type != "text"]
    misfits = dict.fromkeys(told, 0)
    for chunk in chunks() if told else ():
        rows = data_rows(chunk)
        for place in told:
            values = rows.iloc[:, place]
            misfits[place] += len(known_of(values)) - int(typed_column(values, columns[place]).notna().sum())
    return tuple(replace(column, misfits=misfits.get(place, 0)) for place, column in enumerate(columns))


def _told_label(told: TableChange, place: int) -> str | None:
    change = told.column(place)
    return change.label if change else None


def data_rows(chunk: pd.DataFrame) -> pd.DataFrame:
    """The rows with a value that are no sum of the others: their first text does not call them a total."""
    filled = _filled(chunk)
    sums = chunk.iloc[:, 0].str.strip().str.lower().str.fullmatch(_TOTAL)
    kept: pd.DataFrame = chunk.loc[filled & ~sums.fillna(False).astype(bool)]
    return kept


def _filled(chunk: pd.DataFrame) -> "pd.Series[bool]":
    """Which rows have a value in some column."""
    found = pd.Series(False, index=chunk.index)
    for place in chunk.columns:
        found |= chunk[place].fillna("").str.contains(r"\S", regex=True)
    return found


def _column(name: str, label: str, found: Verdict, evidence: Evidence) -> FileColumn:
    return FileColumn(
        name=name,
        label=label,
        type=found.type,
        percent=found.percent,
        decimal_comma=found.decimal_comma,
        day_first=found.day_first,
        members=len(evidence.members),
        filled=evidence.filled,
    )


def _assumed(found: list[Verdict], columns: tuple[FileColumn, ...]) -> Iterator[Remark]:
    assumed = [each for each, column in zip(found, columns, strict=True) if each.assumed and not column.is_told]
    if any(each.type in ("date", "timestamp") for each in assumed):
        yield "day_first_assumed"
    if any(each.type in ("integer", "decimal") for each in assumed):
        yield "separator_assumed"
