"""What a workbook holds, sheet by sheet, whichever writer puts it into a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple

Style = Literal["plain", "bold", "code", "wrapped"]

MOST_SHEET_ROWS = 1_048_575
"""What fits on a sheet below its header."""

HEADER_COLOUR = "0072B2"
TEXT_FONT, CODE_FONT, TEXT_POINTS = "Calibri", "Consolas", 11
CHART_WIDTH_CM, CHART_HEIGHT_CM = 24, 12
MARGIN = 0.7109375
"""What a file adds to a width in characters, so that they fit between the lines of the grid."""

WIDEST = 60
NARROWEST = 10


class Typed(NamedTuple):
    """A cell's value as a workbook stores it, with its number format. A tuple: there are millions of them."""

    value: str | int | float | Decimal | bool | date | datetime | None
    format: str = "General"
    style: Style = "plain"


TypedRow = tuple[Typed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One sheet. A header stays in sight, and filters where the page is one of rows; `rows` are read once, in order.

    `widths` are in characters, a column each; `count` is how many rows there are.
    """

    name: str
    rows: Iterable[TypedRow]
    count: int
    widths: tuple[int, ...]
    header: tuple[str, ...] = ()
    is_filtered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSeries:
    """A column of the chart's data as it is drawn; `slices` colour the parts of a pie. Colours are six hex digits."""

    column: int
    colour: str = ""
    is_dashed: bool = False
    slices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPlan:
    """A chart over the cells of the page `page`: names of its series in the first row, categories in the first column.

    `line` is a series of bars' companion on an axis of its own, with its own number format.
    """

    page: str
    shape: Literal["line", "area", "upright", "lying", "pie"]
    title: str
    series: tuple[DrawnSeries, ...]
    categories: int
    number_format: str
    is_stacked: bool = False
    has_legend: bool = True
    line: DrawnSeries | None = None
    line_format: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A workbook: its sheets in order, the chart beside the rows of the first, and its document properties."""

    pages: tuple[Page, ...]
    chart: ChartPlan | None
    chart_column: int
    title: str
    creator: str
    made_at: datetime


def fitting(characters: int) -> int:
    """A width for so many characters, within reason."""
    return min(max(characters, NARROWEST), WIDEST)


def counted(name: str, rows: Iterable[TypedRow], widths: tuple[int, ...], header: tuple[str, ...] = ()) -> Page:
    """A page of few rows."""
    kept = tuple(rows)
    return Page(name=name, rows=kept, count=len(kept), widths=widths, header=header)


def numbered(name: str, number: int) -> str:
    """The name of a sheet that goes on where another is full."""
    return name if number == 1 else f"{name} {number}"
