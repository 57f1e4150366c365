"""One table of a file: what its columns are, and its rows in typed batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from agent.files.names import sql_names
from agent.files.typed import typed_column
from agent.files.written import Evidence, Verdict, verdict
from agent.values.file import FileColumn, FileTable, Remark

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


def describe(
    name: str, label: str, labels: tuple[str, ...], chunks: Chunks, prefers_comma: bool, remarks: tuple[Remark, ...]
) -> Sheet:
    """Reads all rows once and decides what each column is. Columns without a value are kept, as text."""
    seen = [Evidence() for _ in labels]
    count, sums = 0, 0
    for chunk in chunks():
        rows = data_rows(chunk)
        count, sums = count + len(rows), sums + int(_filled(chunk).sum()) - len(rows)
        for evidence, place in zip(seen, rows.columns, strict=True):
            evidence.add(rows[place])
    comma = prefers_comma or any(evidence.counts.get("comma") and not evidence.counts.get("dot") for evidence in seen)
    found = [verdict(evidence, comma) for evidence in seen]
    names = sql_names(labels)
    columns = tuple(_column(names[place], labels[place], found[place], evidence) for place, evidence in enumerate(seen))
    more: tuple[Remark, ...] = ("totals_left_out",) if sums else ()
    told = (*remarks, *more, *_assumed(found))
    return Sheet(table=FileTable(name=name, label=label, columns=columns, row_count=count, remarks=told), chunks=chunks)


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


def _assumed(found: list[Verdict]) -> Iterator[Remark]:
    assumed = [each for each in found if each.assumed]
    if any(each.type in ("date", "timestamp") for each in assumed):
        yield "day_first_assumed"
    if any(each.type in ("integer", "decimal") for each in assumed):
        yield "separator_assumed"
