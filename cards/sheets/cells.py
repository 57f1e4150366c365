"""Cells of a workbook: typed, formatted, and never a formula."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from agent.analysis.cells import as_day, as_number
from agent.values.result import Cell, ResultColumn
from agent.wording.numbers import amount, decimal, write_cell
from agent.wording.texts import say
from semantic_catalog.model import Locale

# What a spreadsheet may take for a formula when it is typed or pasted.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
LONGEST_TEXT = 32_767
# Above this an IEEE double, which is all a cell holds, loses digits.
LARGEST_EXACT = 10**15
WIDEST = 60
NARROWEST = 10
_DATES = {"day": "dd mmm yyyy", "week": "dd mmm yyyy", "month": "mmm yyyy", "quarter": "mmm yyyy", "year": "yyyy"}
_HEADER_FILL = PatternFill("solid", fgColor="0072B2")
_HEADER_FONT = Font(bold=True, color="FFFFFF")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A cell's value as a workbook stores it, with its number format."""

    value: str | int | float | Decimal | bool | date | datetime | None
    format: str = "General"


def put(sheet: Worksheet, row: int, column: int, typed: Typed) -> SheetCell:
    """Write one cell. Text stays text, whatever it begins with."""
    cell = sheet.cell(row=row, column=column)
    assert isinstance(cell, SheetCell)
    if isinstance(typed.value, str):
        _put_text(cell, typed.value)
    else:
        cell.value = typed.value
        cell.number_format = typed.format
    return cell


def put_header(sheet: Worksheet, labels: tuple[str, ...]) -> None:
    """A first row of labels that stays in sight."""
    for place, label in enumerate(labels, start=1):
        cell = put(sheet, 1, place, Typed(value=label))
        cell.font, cell.fill = _HEADER_FONT, _HEADER_FILL
        cell.alignment = Alignment(vertical="center", wrap_text=True)
    sheet.freeze_panes = "A2"


def typed_cell(cell: Cell, column: ResultColumn, locale: Locale) -> Typed:
    """A result cell as a number, a date, a yes/no or text; instants on the clock they carry."""
    if cell is None or isinstance(cell, bool):
        return Typed(value=cell)
    if isinstance(cell, datetime) and column.grain is None:
        return Typed(value=cell.replace(tzinfo=None), format="dd mmm yyyy hh:mm")
    day = as_day(cell) if column.role == "time" or not isinstance(cell, str) else None
    if day is not None:
        return Typed(value=day, format=_DATES[column.grain or "day"])
    number = as_number(cell)
    return Typed(value=str(cell)) if number is None else typed_number(number, column, locale)


def typed_number(value: Decimal, column: ResultColumn, locale: Locale) -> Typed:
    """A number in its column's format; a whole number too long for a cell becomes text, digit by digit."""
    if abs(value) >= LARGEST_EXACT:
        return Typed(value=str(value.normalize()) if value % 1 else str(int(value)))
    shown = value * 100 if column.points else value
    return Typed(value=int(shown) if shown % 1 == 0 else float(shown), format=number_format(column, locale))


def number_format(column: ResultColumn, locale: Locale) -> str:
    """The spreadsheet's own format; separators follow the reader's settings, units are the column's."""
    if column.points:
        return '0.0 "' + say(locale, "numbers.points", number="").strip() + '"'
    match column.format:
        case "percent":
            return "0.0%"
        case "amount" | "decimal":
            return _with_unit("#,##0.00", column.unit, locale)
        case "count":
            return "#,##0"
        case None:
            return "General"


def fit_widths(
    sheet: Worksheet, columns: tuple[ResultColumn, ...], rows: tuple[tuple[Cell, ...], ...], locale: Locale
) -> None:
    """Columns as wide as their texts, within reason."""
    for place, column in enumerate(columns):
        written = [column.label, *(write_cell(row[place], column, locale) for row in rows)]
        set_width(sheet, place + 1, max(map(len, written)) + 3)


def set_width(sheet: Worksheet, column: int, characters: int) -> None:
    """One column's width in characters."""
    sheet.column_dimensions[get_column_letter(column)].width = min(max(characters, NARROWEST), WIDEST)


def _put_text(cell: SheetCell, text: str) -> None:
    clean = ILLEGAL_CHARACTERS_RE.sub("", text)[:LONGEST_TEXT]
    cell.value = clean
    # Set after the value, which openpyxl would otherwise read as a formula or an error code.
    cell.data_type = "s"
    cell.number_format = "@"
    if clean.startswith(FORMULA_STARTS):
        cell.quotePrefix = True


def _with_unit(digits: str, unit: str | None, locale: Locale) -> str:
    before, _, after = amount(0, unit, locale).partition(decimal(0, locale))
    return (f'"{before}"' if before else "") + digits + (f'"{after}"' if after else "")
