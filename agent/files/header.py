"""Where a table begins in a grid of text, and what its columns are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

Cells = Sequence[str]
MOST_ABOVE = 30
_NUMBER = re.compile(r"[-+−(]?\s*[\d.,'\s]*\d[\d.,'\s]*[%)]?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The columns' labels and the row that the data starts on (counted from 0). `found` is false for made-up labels."""

    labels: tuple[str, ...]
    data_from: int
    rows_above: int
    found: bool


def find_header(rows: Sequence[Cells], width: int, grouped: frozenset[int] = frozenset()) -> Header:
    """The first row that reads like labels of `width` columns, else made-up ones.

    `grouped` are rows with labels that span several columns: such a row goes before each label of the row below it.
    """
    for place, row in enumerate(rows[:MOST_ABOVE]):
        below = rows[place + 1] if place + 1 < len(rows) else ()
        if place in grouped and _is_header(below, width):
            pairs = zip(_padded(row, width), _padded(below, width), strict=True)
            return _header([" ".join(dict.fromkeys((top, low))) for top, low in pairs], width, place + 2, place)
        if _is_header(row, width):
            return _header(row, width, place + 1, place)
        if sum(bool(cell.strip()) for cell in row) >= max(2, width):
            return Header(labels=_made_up(width), data_from=place, rows_above=place, found=False)
    first = next((place for place, row in enumerate(rows) if any(cell.strip() for cell in row)), 0)
    return Header(labels=_made_up(width), data_from=first, rows_above=first, found=False)


def told_header(rows: Sequence[Cells], width: int, row: int) -> Header:
    """The header that a person named: the labels of that row (from 1); made-up ones and all rows as data for 0."""
    if row == 0 or row > len(rows):
        return Header(labels=_made_up(width), data_from=0, rows_above=0, found=False)
    return _header(rows[row - 1], width, row, row - 1)


def _is_header(row: Cells, width: int) -> bool:
    filled = [cell for cell in row if cell.strip()]
    needed = 1 if width == 1 else max(2, round(0.6 * width))
    return len(filled) >= needed and _is_words(row)


def _is_words(row: Cells) -> bool:
    """Whether most of the row is words: labels may hold a year or two, data hardly only words."""
    filled = [cell.strip() for cell in row if cell.strip()]
    return bool(filled) and sum(_NUMBER.fullmatch(cell) is None for cell in filled) >= 0.7 * len(filled)


def _header(row: Cells, width: int, data_from: int, rows_above: int) -> Header:
    labels: list[str] = []
    for place, cell in enumerate(_padded(row, width)):
        label = " ".join(cell.split()) or _made_up(width)[place]
        repeated = sum(known == label or known.startswith(f"{label} (") for known in labels)
        labels.append(f"{label} ({repeated + 1})" if repeated else label)
    return Header(labels=tuple(labels), data_from=data_from, rows_above=rows_above, found=True)


def _padded(row: Cells, width: int) -> list[str]:
    return [*row[:width], *[""] * (width - len(row))]


def _made_up(width: int) -> tuple[str, ...]:
    """Letters, as a spreadsheet calls its columns."""
    return tuple(_letters(place) for place in range(width))


def _letters(place: int) -> str:
    before, last = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
