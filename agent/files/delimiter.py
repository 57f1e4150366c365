"""How a CSV separates its fields, and the rows at its beginning."""

import csv
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mode

DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """The separator and the first rows, as text. `width` is the usual number of fields."""

    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    width: int


def read_beginning(path: Path, encoding: str) -> Beginning:
    """The beginning under the separator that gives the most rows the same number of fields, more than one if any does.

    Raises `UnicodeError` for text that is not in that encoding.
    """
    with path.open(encoding=encoding, newline="") as opened:
        lines = list(islice(opened, LOOKED_AT * 4))
    if lines and lines[0].strip().lower().startswith("sep=") and len(lines[0].strip()) == len("sep=;"):
        return _split(lines, lines[0].strip()[-1])
    return max((_split(lines, delimiter) for delimiter in DELIMITERS), key=_agreement)


def _split(lines: list[str], delimiter: str) -> Beginning:
    rows = tuple(tuple(row) for row in islice(csv.reader(lines, delimiter=delimiter), LOOKED_AT))
    widths = [len(row) for row in rows if any(field.strip() for field in row)]
    return Beginning(delimiter=delimiter, rows=rows, width=mode(widths) if widths else 0)


def _agreement(beginning: Beginning) -> float:
    """The part of rows of the usual width; a single field is no agreement on a separator."""
    if beginning.width < 2:
        return 0.0
    alike = sum(len(row) == beginning.width for row in beginning.rows)
    return alike / len(beginning.rows) + min(beginning.width, 50) / 1000
