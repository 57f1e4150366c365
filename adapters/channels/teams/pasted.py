"""Tables that were pasted into a message, as text of a CSV."""

import csv
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import StringIO

MEDIA_TYPE = "text/csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedTable:
    """The message's first table as CSV, and what was written around it."""

    csv: str
    around: str


def pasted_table(html: str) -> PastedTable | None:
    """The table of a message's HTML; None for a message without one."""
    if "<table" not in html.lower():
        return None
    reader = _Reader()
    reader.feed(html)
    reader.close()
    rows = [row for row in reader.rows if any(row)]
    if not rows:
        return None
    written = StringIO()
    csv.writer(written).writerows(rows)
    return PastedTable(csv=written.getvalue(), around=" ".join(" ".join(reader.around).split()))


@dataclass
class _Reader(HTMLParser):
    """Reads cells row by row; a cell that spans columns leaves the others empty. Nested tables are text of the cell."""

    rows: list[list[str]] = field(default_factory=list)
    around: list[str] = field(default_factory=list)
    _depth: int = 0
    _is_read: bool = False
    _cell: list[str] | None = None
    _span: int = 1
    _mention: int = 0

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A table, a row or a cell begins."""
        match tag:
            case "table":
                self._depth += 1
            case "tr" if self._depth == 1 and not self._is_read:
                self.rows.append([])
            case "td" | "th" if self._depth == 1 and not self._is_read:
                self._cell = []
                told = dict(attrs).get("colspan") or "1"
                self._span = int(told) if told.isdigit() else 1
            case "at":
                self._mention += 1
            case "br" if self._cell is not None:
                self._cell.append(" ")
            case _:
                self._space()

    def handle_endtag(self, tag: str) -> None:
        """A table or a cell ends."""
        match tag:
            case "table":
                self._depth -= 1
                self._is_read = self._is_read or self._depth == 0
            case "td" | "th" if self._depth == 1 and self._cell is not None and self.rows:
                self.rows[-1] += [" ".join("".join(self._cell).split()), *[""] * min(self._span - 1, 200)]
                self._cell = None
            case "at":
                self._mention -= 1

    def handle_data(self, data: str) -> None:
        """Text of a cell, or around the table; a mention of the bot is neither."""
        if self._cell is not None:
            self._cell.append(data)
        elif self._depth == 0 and self._mention <= 0:
            self.around.append(data)

    def _space(self) -> None:
        (self._cell if self._cell is not None else self.around).append(" ")
