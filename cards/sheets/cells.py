"""Cells of a workbook: typed, formatted, and never a formula."""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from math import isfinite

from agent.analysis.cells import as_day, as_number
from agent.values.result import Cell, ResultColumn
from agent.wording.numbers import amount, decimal
from agent.wording.texts import say
from cards.sheets.pages import Typed
from semantic_catalog.model import Locale

# What a spreadsheet may take for a formula when it is typed or pasted.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
LONGEST_TEXT = 32_767
# Above this an IEEE double, which is all a cell holds, loses digits.
LARGEST_EXACT = 10**15
# A spreadsheet knows no day before this year.
FIRST_YEAR = 1900
_DATES = {"day": "dd mmm yyyy", "week": "dd mmm yyyy", "month": "mmm yyyy", "quarter": "mmm yyyy", "year": "yyyy"}
_MOMENT = "dd mmm yyyy hh:mm"
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def clean_text(text: str) -> str:
    """The text as far as a cell can hold it: without control characters, at most `LONGEST_TEXT` UTF-16 units."""
    clean = _UNWRITABLE.sub("", text)
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    if len(clean) <= LONGEST_TEXT // 2:
        return clean
    return clean.encode("utf-16-le")[: LONGEST_TEXT * 2].decode("utf-16-le", errors="ignore")


def typed_cells(column: ResultColumn, locale: Locale) -> Callable[[Cell], Typed]:
    """What makes the cells of a column: numbers, dates, yes/no or text; instants on the clock they carry.

    A day that a spreadsheet does not know is text.
    """
    number, shows_points = number_format(column, locale), column.points
    day_format = _DATES[column.grain or "day"]

    def typed(cell: Cell) -> Typed:
        kind = type(cell)
        if kind is int and not shows_points and -LARGEST_EXACT < cell < LARGEST_EXACT:  # type: ignore[operator]
            return Typed(cell, number)
        if kind is str and column.role != "time":
            return Typed(cell)
        if cell is None or kind is bool:
            return Typed(cell)
        if isinstance(cell, datetime) and column.grain is None:
            moment = cell.replace(tzinfo=None)
            return Typed(moment, _MOMENT) if cell.year >= FIRST_YEAR else Typed(moment.isoformat(" "))
        return _dated(cell, day_format) or _numbered(cell, column, number)

    return typed


def typed_number(value: Decimal, column: ResultColumn, locale: Locale) -> Typed:
    """A number in its column's format; a whole number too long for a cell becomes text, digit by digit."""
    return _in_format(value, column, number_format(column, locale))


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


def _dated(cell: Cell, day_format: str) -> Typed | None:
    day = as_day(cell) if isinstance(cell, date | str) else None
    if day is None:
        return None
    return Typed(day, day_format) if day.year >= FIRST_YEAR else Typed(day.isoformat())


def _numbered(cell: Cell, column: ResultColumn, number: str) -> Typed:
    if isinstance(cell, float) and isfinite(cell) and abs(cell) < LARGEST_EXACT and not column.points:
        return Typed(int(cell) if cell.is_integer() else cell, number)
    value = as_number(cell)
    return Typed(str(cell)) if value is None else _in_format(value, column, number)


def _in_format(value: Decimal, column: ResultColumn, number: str) -> Typed:
    if abs(value) >= LARGEST_EXACT:
        return Typed(str(int(value)) if value == value.to_integral_value() else f"{value:f}".rstrip("0"))
    shown = value * 100 if column.points else value
    return Typed(int(shown) if shown % 1 == 0 else float(shown), number)


def _with_unit(digits: str, unit: str | None, locale: Locale) -> str:
    before, _, after = amount(0, unit, locale).partition(decimal(0, locale))
    return (f'"{before}"' if before else "") + digits + (f'"{after}"' if after else "")
