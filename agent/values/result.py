"""What came back, what it says, and how to draw it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, TypeVar, overload

from agent.codec import AsWritten
from agent.values.identity import RunId
from agent.values.spec import ChartKind
from semantic_catalog.model import MetricFormat, TimeGrain

ResultId = NewType("ResultId", str)
Cell = Annotated[str | int | float | Decimal | bool | date | datetime | None, AsWritten()]
Row = tuple[Cell, ...]
SAMPLE_ROWS = 5
LONG_ROWS = 20_000
"""A result of more rows is a long one: a store hands it out a piece at a time."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultColumn:
    """One column of a result: its SQL name, label in the asker's language, what it is and how it is written.

    Percent columns hold fractions. `points` marks a change of a percentage (a difference of fractions).
    `reference` names what it holds: a metric, a dimension, or `time`.
    """

    name: str
    label: str
    role: Literal["time", "dimension", "label", "metric", "change", "other"]
    type: Literal["text", "integer", "decimal", "boolean", "date", "timestamp"]
    format: MetricFormat | None = None
    unit: str | None = None
    grain: TimeGrain | None = None
    points: bool = False
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRef:
    """A result in the store. Rows are written once; everything else holds this reference and a small sample."""

    id: ResultId
    run: RunId
    columns: tuple[ResultColumn, ...]
    row_count: int
    truncated: bool
    expires_at: datetime


class LongRows(Sequence[Row], ABC):
    """Rows of a long result, of which only a piece is in memory at any time. Reading them all takes seconds and blocks.

    What was worked out of all of them is kept with them, so that it is worked out once.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}

    @abstractmethod
    def pieces(self, start: int = 0) -> Iterator[tuple[Row, ...]]:
        """The rows in order, in pieces of at most some ten thousand, from the row `start` on."""
        ...

    @abstractmethod
    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...

    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        """One row, or some; a slice is in memory whole."""
        if isinstance(place, int):
            (found,) = self._between(range(len(self))[place], 1)
            return found
        start, stop, step = place.indices(len(self))
        if step == 1:
            return self._between(start, max(stop - start, 0))
        return tuple(self[at] for at in range(start, stop, step))

    def __iter__(self) -> Iterator[Row]:
        for piece in self.pieces():
            yield from piece

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` makes of the rows; the same thing again for the same key."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made

    def _between(self, start: int, count: int) -> tuple[Row, ...]:
        found: list[Row] = []
        for piece in self.pieces(start) if count else ():
            found += piece[: count - len(found)]
            if len(found) == count:
                break
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """Rows read back from the store, in order, as plain values. Those of a long result are `LongRows`."""

    columns: tuple[ResultColumn, ...]
    rows: Sequence[Row]

    @property
    def long(self) -> LongRows | None:
        """The rows where they are those of a long result, which no step may hold all at once."""
        return self.rows if isinstance(self.rows, LongRows) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSample:
    """At most `SAMPLE_ROWS` rows: all that memory and checkpoints may hold of a result."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kpi:
    """One number worth saying. `kind` keys its words (`kpi.<kind>`); `column` is the metric; `at` its row.

    For a change, `value` is the difference and `change` the fraction of the earlier value (None for percentages,
    whose change is in points).
    """

    kind: Literal["total", "average", "minimum", "maximum", "change", "count", "overall"]
    column: str
    value: Decimal
    at: str = ""
    change: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Something about the result the reader must know first; `key` is a text key (`doubt.<key>`)."""

    key: str
    params: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether the result answers the spec. `failed` is never posted as an answer; `confidence` runs 0–1."""

    status: Literal["success", "low_confidence", "failed"]
    doubts: tuple[Doubt, ...] = ()
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """A chart as a value. `category` and `series` are result column names (`series` splits one value column).

    `additive` says that the values may be summed, so that what does not fit is drawn as one 'other'. The first of the
    values of a combo are bars, the second a line on an axis of its own. `intervals` are pairs of columns (low, high)
    with their level ('95'), widest first, drawn as bands around the last of the values.
    """

    kind: ChartKind
    category: str
    values: tuple[str, ...]
    series: str | None = None
    title: str = ""
    subtitle: str = ""
    source: str = ""
    additive: bool = False
    intervals: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """The words of an answer: the sentence that answers, then at most three lines of what stands out.

    Every number in them was checked against the result. `lead` is the part of the headline shown in bold. `summary` is
    the executive summary, a line a point, where an analysis was asked for.
    """

    lead: str
    rest: str = ""
    highlights: tuple[str, ...] = ()
    written_by: Literal["rules", "model"] = "rules"
    summary: tuple[str, ...] = ()
