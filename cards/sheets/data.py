"""The sheets of rows, as they were read."""

from collections.abc import Iterator
from itertools import islice

from agent.values.result import ResultTable, Row
from agent.wording.numbers import write_cell
from cards.sheets.cells import typed_cells
from cards.sheets.pages import MOST_SHEET_ROWS, Page, TypedRow, fitting, numbered
from semantic_catalog.model import Locale

ROWS_FOR_WIDTHS = 1_000


def data_pages(name: str, table: ResultTable, locale: Locale, most: int = MOST_SHEET_ROWS) -> tuple[Page, ...]:
    """A header that stays in sight and filters, then every row with typed cells; another sheet where one is full.

    Columns are as wide as the texts of the first rows, within reason.
    """
    widths, header = _widths(table, locale), tuple(column.label for column in table.columns)
    return tuple(
        Page(
            name=numbered(name, number),
            rows=_rows(table, start, most, locale),
            count=min(most, len(table.rows) - start),
            widths=widths,
            header=header,
            is_filtered=True,
        )
        for number, start in enumerate(range(0, max(len(table.rows), 1), most), start=1)
    )


def _rows(table: ResultTable, start: int, most: int, locale: Locale) -> Iterator[TypedRow]:
    makers = tuple(typed_cells(column, locale) for column in table.columns)
    for row in islice(_from(table, start), most):
        yield tuple([make(cell) for make, cell in zip(makers, row, strict=True)])


def _from(table: ResultTable, start: int) -> Iterator[Row]:
    if table.long is None:
        yield from table.rows[start:]
        return
    for piece in table.long.pieces(start):
        yield from piece


def _widths(table: ResultTable, locale: Locale) -> tuple[int, ...]:
    first = table.rows[:ROWS_FOR_WIDTHS]
    return tuple(
        fitting(max(len(column.label), *(len(write_cell(row[place], column, locale)) for row in first), 0) + 3)
        for place, column in enumerate(table.columns)
    )
