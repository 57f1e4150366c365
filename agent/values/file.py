"""A file given in a thread, as tables."""

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal["text", "integer", "decimal", "date", "timestamp"]
RefusedReason = Literal[
    "empty", "too_large", "too_many_rows", "too_many_columns", "too_many_sheets", "macro", "password", "zip_bomb",
    "old_excel", "damaged", "not_a_table", "encoding", "ragged",
]  # fmt: skip
Remark = Literal[
    "no_header", "rows_above", "totals_left_out", "merged", "day_first_assumed", "separator_assumed", "formulas_empty",
    "hidden_sheet",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What of a file is still read. Sizes are bytes; `workbook_bytes` bounds a workbook unpacked, which is held whole.

    A workbook's parts may be packed at most `packing` times smaller than they are.
    """

    bytes: int = 128 * 1024 * 1024
    workbook_bytes: int = 96 * 1024 * 1024
    rows: int = 5_000_000
    columns: int = 200
    sheets: int = 20
    packing: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRefused:
    """Why a file is not read; `reason` is a text key (`file.<reason>`) that `params` fill."""

    reason: RefusedReason
    params: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileColumn:
    """One column: the name it has in SQL, the header as written, and its type. `percent` holds fractions.

    `decimal_comma` and `day_first` say how its text is to be read; `members` is how many different values it has, at
    most `MOST_MEMBERS` of them counted, and `filled` how many rows have one.
    """

    name: str
    label: str
    type: ColumnType
    percent: bool = False
    decimal_comma: bool = False
    day_first: bool = True
    members: int = 0
    filled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """One table of a file: a CSV has one, a workbook one a sheet. `remarks` are text keys (`file.<remark>`)."""

    name: str
    label: str
    columns: tuple[FileColumn, ...]
    row_count: int
    remarks: tuple[Remark, ...] = ()


MOST_MEMBERS = 1000
