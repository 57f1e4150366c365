"""One table of a file: what its columns are, and its rows in typed batches."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unicodedata import normalize

import pandas as pd

from agent.files.header import is_total
from agent.files.typed import typed_column
from agent.files.written import Evidence, Verdict, verdict
from agent.values.file import FileColumn, FileTable, Remark

Chunks = Callable[[], Iterator[pd.DataFrame]]
"""The rows as text, a column per label by position; may be asked for more than once."""

_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        ("a", "b", "v", "g", "d", "e", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f",
         "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "iu", "ia"),
        strict=True,
    )
)  # fmt: skip


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
        count, sums = count + len(rows), sums + len(chunk) - len(rows) - _blank(chunk)
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
    """The rows with a value that are no sum of the others."""
    filled = chunk.apply(lambda column: column.fillna("").str.strip() != "")
    rows = chunk.loc[filled.any(axis=1)]
    first = rows.iloc[:, 0].fillna("").str.strip()
    kept: pd.DataFrame = rows.loc[~first.map(lambda text: is_total((text,))).astype(bool)]
    return kept


def sql_names(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Names of plain small letters, digits and underscores, each once, that SQL needs no quotes for."""
    names: list[str] = []
    for place, label in enumerate(labels):
        name = plain_name(label) or f"column_{place + 1}"
        names.append(name if name not in names else f"{name}_{place + 1}")
    return tuple(names)


def plain_name(label: str) -> str:
    """The label in plain letters ('Año fiscal' → 'ano_fiscal', 'Сумма, ₽' → 'summa'); '' when it has none."""
    latin = "".join(_CYRILLIC.get(letter, letter) for letter in label.lower())
    plain = normalize("NFKD", latin).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:50]
    return f"c_{name}" if name[:1].isdigit() else name


def _blank(chunk: pd.DataFrame) -> int:
    filled = chunk.apply(lambda column: column.fillna("").str.strip() != "")
    return int((~filled.any(axis=1)).sum())


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
