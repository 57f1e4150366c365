"""What a person says of how a file is to be read, in words: a column's name, type and use, header rows, sheets."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from agent.values.file import ColumnChange, ColumnType, ColumnUse, FileTable, TableChange
from agent.wording.texts import say
from semantic_catalog.model import LOCALES

Changes = tuple[TableChange, ...]
_COLUMN = re.compile(r"(?:(?P<table>\d+)\.)?(?P<place>\d+)\s*[=:]\s*(?P<said>.+)")
_NUMBER = re.compile(r"\s*(?P<first>\d+)(?:\.(?P<second>\d+))?\s*")
_TYPES: tuple[ColumnType, ...] = ("text", "integer", "decimal", "date", "timestamp")
_USES: tuple[ColumnUse, ...] = ("sum", "average", "split", "time", "show")


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """The line that was not understood; nothing of the message counts then."""

    line: str


def read_changes(text: str, tables: tuple[FileTable, ...], before: Changes = ()) -> Changes | Misread:
    """`before` with what the lines of `text` say, in any of our languages.

    '3 = Net sales; number; add up' is the third column ('2.3' that of the second table); 'header row 2', 'no headers',
    'without sheet 2' and 'with sheet 2' are the tables'. A table's number may follow a header row's: 'header row 2.4'.
    """
    found = {change.place: change for change in before}
    for line in (line.strip() for line in re.split(r"[\n·]", text) if line.strip()):
        change = _column(line, tables, found) or _table(line, tables, found)
        if change is None:
            return Misread(line=line)
        found[change.place] = change
    return tuple(found[place] for place in sorted(found))


def says(key: str, text: str) -> bool:
    """Whether the message is one of the ways to say `key`, in any language."""
    return text.casefold().strip(" .!") in ways(key)


def ways(key: str) -> tuple[str, ...]:
    """The words for `key` in all languages, in small letters."""
    return tuple(way for locale in LOCALES for way in say(locale, f"file.say_{key}").casefold().split("|"))


def _column(line: str, tables: tuple[FileTable, ...], found: dict[int, TableChange]) -> TableChange | None:
    matched = _COLUMN.fullmatch(line)
    if matched is None:
        return None
    table, place = int(matched["table"] or 1) - 1, int(matched["place"]) - 1
    if not 0 <= table < len(tables) or not 0 <= place < len(tables[table].columns):
        return None
    known = found.get(table, TableChange(place=table))
    column = known.column(place) or ColumnChange(place=place)
    for said in (part.strip() for part in matched["said"].split(";") if part.strip()):
        column = _said_of(column, said)
    others = tuple(each for each in known.columns if each.place != place)
    return replace(known, columns=(*others, column))


def _said_of(column: ColumnChange, said: str) -> ColumnChange:
    """The column with one part of its line: a type, a use, how numbers or dates are written, else its name."""
    return next((tell(column) for key, tell in _tellings() if says(key, said)), replace(column, label=said))


def _tellings() -> Iterator[tuple[str, Callable[[ColumnChange], ColumnChange]]]:
    yield "percent", lambda column: replace(column, type="decimal", percent=True)
    yield "month_first", lambda column: replace(column, type=column.type or "date", day_first=False)
    yield "decimal_comma", lambda column: replace(column, type=column.type or "decimal", decimal_comma=True)
    yield "decimal_point", lambda column: replace(column, type=column.type or "decimal", decimal_comma=False)
    for type_of in _TYPES:
        yield type_of, lambda column, type_of=type_of: replace(column, type=type_of, percent=False)  # type: ignore[misc]
    for use in _USES:
        yield use, lambda column, use=use: replace(column, use=use)  # type: ignore[misc]


def _table(line: str, tables: tuple[FileTable, ...], found: dict[int, TableChange]) -> TableChange | None:
    said = line.casefold()
    for key in ("no_header", "header", "without", "with"):
        way = next((way for way in sorted(ways(key), key=len, reverse=True) if said.startswith(way)), None)
        number = _NUMBER.fullmatch(said[len(way) :] or "0") if way else None
        if number is not None:
            return _table_said(key, number, tables, found)
    return None


def _table_said(
    key: str, number: re.Match[str], tables: tuple[FileTable, ...], found: dict[int, TableChange]
) -> TableChange | None:
    first, second = int(number["first"]), number["second"]
    place = (first or 1) - 1 if second or key != "header" else 0
    if not 0 <= place < len(tables) or (key in ("header", "without", "with") and not first):
        return None
    known = found.get(place, TableChange(place=place))
    match key:
        case "header":
            # Another row of headers makes other columns of the table.
            return replace(known, header_row=int(second or first), columns=())
        case "no_header":
            return replace(known, header_row=0, columns=())
        case _:
            return replace(known, left_out=key == "without")
