"""The sheet of rows, as they were read."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from agent.values.result import ResultTable
from cards.sheets.cells import fit_widths, put, put_header, typed_cell
from semantic_catalog.model import Locale


def write_data(sheet: Worksheet, table: ResultTable, locale: Locale) -> None:
    """A header that stays in sight and filters, then every row with typed cells."""
    put_header(sheet, tuple(column.label for column in table.columns))
    for place, row in enumerate(table.rows, start=2):
        for at, (cell, column) in enumerate(zip(row, table.columns, strict=True), start=1):
            put(sheet, place, at, typed_cell(cell, column, locale))
    last = f"{get_column_letter(max(len(table.columns), 1))}{len(table.rows) + 1}"
    sheet.auto_filter.ref = f"A1:{last}"
    fit_widths(sheet, table.columns, table.rows, locale)
