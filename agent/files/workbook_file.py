"""An Excel workbook as tables, one a sheet. Formulas are never run: what Excel stored as their result is read."""

from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import pandas as pd
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet

from agent.files.header import find_header, told_header
from agent.files.names import plain_name
from agent.files.sheet import Found, Sheet, describe
from agent.values.file import FileLimits, FileRefused, Remark, TableChange

Grid = list[list[str]]
# A lone cell far off makes a table of empty ones.
MOST_CELLS = 10_000_000


def read_workbook_file(
    path: Path, label: str, limits: FileLimits, changes: tuple[TableChange, ...] = ()
) -> tuple[Sheet, ...] | FileRefused:
    """The tables of a workbook's sheets that have any; the values of merged cells stand in each of them. Blocks.

    Refused: a file that does not open, too many sheets, rows or columns, no table at all.
    """
    try:
        book = load_workbook(path, data_only=True, keep_links=False)
    except (BadZipFile, InvalidFileException, KeyError, ValueError):
        return FileRefused(reason="damaged")
    sheets = book.worksheets
    if len(sheets) > limits.sheets:
        return FileRefused(reason="too_many_sheets", params=(("count", str(len(sheets))), ("most", str(limits.sheets))))
    extents = [_extent(sheet) for sheet in sheets]
    widest = max((columns for _, columns in extents), default=0)
    if widest > limits.columns:
        params = (("count", str(widest)), ("most", str(limits.columns)))
        return FileRefused(reason="too_many_columns", params=params)
    if sum(rows for rows, _ in extents) > limits.rows or sum(rows * columns for rows, columns in extents) > MOST_CELLS:
        return FileRefused(reason="too_many_rows", params=(("most", str(limits.rows)),))
    titles = [sheet.title for sheet in sheets]
    unanswered = _without_result(path, dict(zip(titles, extents, strict=True)))
    told = {change.place: change for change in changes}
    tables: list[Sheet] = []
    for sheet in sheets:
        change = told.get(len(tables), TableChange(place=len(tables)))
        found = _read(sheet, label, len(sheets) > 1, sheet.title in unanswered, change)
        tables += [found] if found else []
    return tuple(tables) or FileRefused(reason="empty")


def _read(sheet: Worksheet, label: str, several: bool, unanswered: bool, change: TableChange) -> Sheet | None:
    merged = [item.bounds for item in sheet.merged_cells.ranges]
    grid, grouped = _grid(sheet, merged)
    grid = _trimmed(grid)
    width = max((len(row) for row in grid), default=0)
    if change.header_row is None:
        header = find_header(grid, width, grouped)
    else:
        header = told_header(grid, width, change.header_row)
    if width == 0 or header.data_from >= len(grid):
        return None
    rows = pd.DataFrame([[*row, *[""] * (width - len(row))] for row in grid[header.data_from :]], dtype="str")

    def chunks() -> Iterator[pd.DataFrame]:
        yield rows

    told: list[Remark] = [] if header.found else ["no_header"]
    told += ["rows_above"] if header.rows_above else []
    told += ["merged"] if merged else []
    told += ["hidden_sheet"] if sheet.sheet_state != "visible" else []
    told += ["formulas_empty"] if unanswered else []
    name = plain_name(sheet.title if several else Path(label).stem) or "sheet"
    label = sheet.title if several else label
    found = Found(name=name, label=label, header=header, chunks=chunks, remarks=tuple(told))
    return describe(found, False, change)


def _extent(sheet: Worksheet) -> tuple[int, int]:
    """The last row and the last column with a value: formats alone may reach to the end of the sheet."""
    # Only the cells that are written; asking for rows would make all cells in between.
    filled = [place for place, cell in sheet._cells.items() if cell.value is not None]  # noqa: SLF001
    return max((row for row, _ in filled), default=0), max((column for _, column in filled), default=0)


def _grid(sheet: Worksheet, merged: list[tuple[int, int, int, int]]) -> tuple[Grid, frozenset[int]]:
    """All cells as text, merged ones each with the value; and the rows where one value spans several columns."""
    last_row, last_column = _extent(sheet)
    if not last_row:
        return [], frozenset()
    rows = sheet.iter_rows(max_row=last_row, max_col=last_column, values_only=True)
    grid = [[_text(cell) for cell in row] for row in rows]
    grouped = set()
    for left, top, right, bottom in merged:
        # A value over the whole width is a title, not a group of columns.
        if right - left + 1 >= last_column > 1 or top > last_row or left > last_column:
            continue
        value = grid[top - 1][left - 1]
        for row in range(top - 1, min(bottom, len(grid))):
            for column in range(left - 1, min(right, len(grid[row]))):
                grid[row][column] = value
        if right > left and top == bottom:
            grouped.add(top - 1)
    return grid, frozenset(grouped)


def _text(cell: object) -> str:
    """A cell as text that is read back as the same value."""
    match cell:
        case None:
            return ""
        case bool():
            return str(cell).lower()
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case datetime():
            return cell.isoformat(sep=" ", timespec="seconds")
        case date():
            return cell.isoformat()
        case float() if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        case float():
            # Three decimals could be taken for thousands.
            text = repr(cell)
            return f"{text}0" if len(text.partition(".")[2]) == len("000") else text
        case _:
            return str(cell)


def _trimmed(grid: Grid) -> Grid:
    """Without the empty rows and columns around the cells that are filled."""
    filled = [place for row in grid for place, text in enumerate(row) if text.strip()]
    if not filled:
        return []
    last_row = max(place for place, row in enumerate(grid) if any(text.strip() for text in row))
    return [row[min(filled) : max(filled) + 1] for row in grid[: last_row + 1]]


def _without_result(path: Path, extents: dict[str, tuple[int, int]]) -> frozenset[str]:
    """The sheets with a formula that no result is stored for."""
    written, stored = load_workbook(path, read_only=True), load_workbook(path, read_only=True, data_only=True)
    try:
        return frozenset(
            sheet.title
            for sheet in written.worksheets
            if extents[sheet.title][0] and _lacks_result(sheet, stored[sheet.title], *extents[sheet.title])
        )
    finally:
        written.close()
        stored.close()


def _lacks_result(written: Any, stored: Any, last_row: int, last_column: int) -> bool:
    formulas, results = (
        sheet.iter_rows(max_row=last_row, max_col=last_column, values_only=True) for sheet in (written, stored)
    )
    return any(
        isinstance(formula, str) and formula.startswith("=") and result is None
        for row, answers in zip(formulas, results, strict=False)
        for formula, result in zip(row, answers, strict=False)
    )
