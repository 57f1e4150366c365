"""A file given in a thread, as tables."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NewType

from agent.values.identity import PrincipalId, RunId, ThreadKey
from semantic_catalog.model import DimensionName, DomainName, Locale, Metric, Names, TimeGrain

FileId = NewType("FileId", str)
ColumnUse = Literal["sum", "average", "split", "time", "show"]
FileStatus = Literal["to_confirm", "confirmed"]
ColumnType = Literal["text", "integer", "decimal", "date", "timestamp"]
RefusedReason = Literal[
    "empty", "too_large", "too_many_rows", "too_many_columns", "too_many_sheets", "macro", "password", "zip_bomb",
    "old_excel", "damaged", "not_a_table", "encoding", "ragged", "picture", "unreachable", "not_allowed",
    "too_many_files", "too_much",
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
    most `MOST_MEMBERS` of them counted, and `filled` how many rows have one. `use` and `is_told` are set where a person
    said what the column is; `misfits` are the values that are not of the told type, and count as missing.
    """

    name: str
    label: str
    type: ColumnType
    percent: bool = False
    decimal_comma: bool = False
    day_first: bool = True
    members: int = 0
    filled: int = 0
    use: ColumnUse | None = None
    is_told: bool = False
    misfits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """One table of a file: a CSV has one, a workbook one a sheet. `remarks` are text keys (`file.<remark>`).

    `header_row` is the row of the headers, counted from 1; 0 where there is none. A person may leave a table out.
    """

    name: str
    label: str
    columns: tuple[FileColumn, ...]
    row_count: int
    remarks: tuple[Remark, ...] = ()
    header_row: int = 0
    left_out: bool = False


MOST_MEMBERS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChange:
    """What a person said about the column at `place` (from 0); None leaves what was found."""

    place: int
    label: str | None = None
    type: ColumnType | None = None
    percent: bool = False
    day_first: bool | None = None
    decimal_comma: bool | None = None
    use: ColumnUse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange:
    """What a person said about the table at `place` (from 0). `header_row` counts from 1; 0 means no headers."""

    place: int
    left_out: bool = False
    header_row: int | None = None
    columns: tuple[ColumnChange, ...] = ()

    def column(self, place: int) -> ColumnChange | None:
        """What was said about that column."""
        return next((change for change in self.columns if change.place == place), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A governed metric put beside the file `file`, by the file's dimensions and a time grain, at which it was read.

    `column`, `time` and `dimensions` are columns of its rows; a dimension is called as in the file. `domain` names
    its domain in words, and `adds_up` says whether its values may be added up.
    """

    file: FileId
    domain: Names
    metric: Metric
    column: str
    adds_up: bool
    dimensions: tuple[tuple[DimensionName, str], ...] = ()
    time: str | None = None
    grain: TimeGrain | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFile:
    """A file that was given in a thread, and how it is read. Its bytes are in the file store.

    `question` came with the file and is asked once the reading is confirmed. `confirmed_by` is the event
    that confirmed it. `run` keeps the file's card. `version` counts changes of
    the reading. With `beside` it is a governed answer put beside a file, for `giver` alone: they were read for them.
    """

    id: FileId
    thread: ThreadKey
    giver: PrincipalId
    name: str
    size: int
    locale: Locale
    tables: tuple[FileTable, ...]
    run: RunId
    given_at: datetime
    expires_at: datetime
    status: FileStatus = "to_confirm"
    changes: tuple[TableChange, ...] = ()
    question: str = ""
    confirmed_by: str = ""
    version: int = 1
    beside: Beside | None = None

    @property
    def domain(self) -> DomainName:
        """The name of the file's domain, its own for each reading."""
        return DomainName(f"{BESIDE if self.beside else FILE}{self.id}_{self.version}")


FILE = "file_"
BESIDE = "beside_"


def is_file(domain: DomainName) -> bool:
    """Whether the domain is a file of the thread."""
    return domain.startswith(FILE)


def is_beside(domain: DomainName) -> bool:
    """Whether the domain is a file with a governed answer beside it."""
    return domain.startswith(BESIDE)
