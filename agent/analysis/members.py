"""Members and rows by the names people read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from agent.analysis.layout import DimensionColumn, Layout, read_layout
from agent.values.result import Cell, LongRows, ResultTable, Row
from agent.wording.numbers import write_cell
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale

SEPARATOR = " · "


def with_member_labels(table: ResultTable, domain: Domain, locale: Locale) -> ResultTable:
    """The same rows with member values shown by their catalog labels; codes with a description column stay codes.

    Cells that the catalog does not know stay as they are, so doing it twice changes nothing.
    """
    layout = read_layout(table.columns)
    labels = tuple(_labels_of(dimension, domain, locale) for dimension in layout.dimensions)
    if table.long is None:
        return replace(table, rows=tuple(_labelled(row, layout, labels) for row in table.rows))
    return replace(table, rows=LabelledRows(table.long, layout, labels)) if any(labels) else table


class LabelledRows(LongRows):
    """Rows of a long result with members shown by their labels."""

    def __init__(self, rows: LongRows, layout: Layout, labels: tuple[Mapping[str, str], ...]) -> None:
        super().__init__()
        self._rows = rows
        self._layout = layout
        self._labels = labels

    def __len__(self) -> int:
        return len(self._rows)

    def pieces(self, start: int = 0) -> Iterator[tuple[Row, ...]]:
        """The rows in order, in pieces, from the row `start` on."""
        for piece in self._rows.pieces(start):
            yield tuple(_labelled(row, self._layout, self._labels) for row in piece)


def row_name(row: Row, layout: Layout, domain: Domain, locale: Locale) -> str:
    """What the row is about: its bucket and its members, '' for a row without keys."""
    parts = [member_name(row, dimension, domain, locale) for dimension in layout.dimensions]
    if layout.time is not None and layout.time_column is not None:
        parts.insert(0, write_cell(row[layout.time], layout.time_column, locale))
    return SEPARATOR.join(parts)


def member_name(row: Row, dimension: DimensionColumn, domain: Domain, locale: Locale) -> str:
    """The member of one dimension in a row, by its label; words for NULL."""
    cell = _label(row, dimension, domain, locale)
    if cell is None:
        return say(locale, "narrative.no_member")
    return write_cell(cell, dimension.column, locale)


def _labelled(row: Row, layout: Layout, labels: tuple[Mapping[str, str], ...]) -> Row:
    cells = list(row)
    for dimension, known in zip(layout.dimensions, labels, strict=True):
        value = row[dimension.value]
        if known and value is not None:
            cells[dimension.shown] = known.get(str(value), row[dimension.shown])
    return tuple(cells)


def _labels_of(dimension: DimensionColumn, domain: Domain, locale: Locale) -> Mapping[str, str]:
    """The labels of the members that the catalog lists, by value; of several of one value the first."""
    known = next((d for d in domain.dimensions if d.name == dimension.column.reference), None)
    return {member.value: member.names.in_locale(locale) for member in reversed(known.members)} if known else {}


def _label(row: Row, dimension: DimensionColumn, domain: Domain, locale: Locale) -> Cell:
    value, shown = row[dimension.value], row[dimension.shown]
    known = next((d for d in domain.dimensions if d.name == dimension.column.reference), None)
    member = next((m for m in known.members if m.value == str(value)), None) if known and value is not None else None
    return member.names.in_locale(locale) if member else shown
