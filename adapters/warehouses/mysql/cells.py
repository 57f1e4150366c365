"""Result cells as plain values, and the engine's names of their types."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from asyncmy.constants import FIELD_TYPE

from agent.values.result import Cell, Row

Column = Sequence[Any]
Rows = list[tuple[Any, ...]]

_NAMES: dict[int, str] = {
    FIELD_TYPE.DECIMAL: "decimal",
    FIELD_TYPE.NEWDECIMAL: "decimal",
    FIELD_TYPE.TINY: "tinyint",
    FIELD_TYPE.SHORT: "smallint",
    FIELD_TYPE.INT24: "mediumint",
    FIELD_TYPE.LONG: "int",
    FIELD_TYPE.LONGLONG: "bigint",
    FIELD_TYPE.FLOAT: "float",
    FIELD_TYPE.DOUBLE: "double",
    FIELD_TYPE.YEAR: "year",
    FIELD_TYPE.BIT: "bit",
    FIELD_TYPE.DATE: "date",
    FIELD_TYPE.NEWDATE: "date",
    FIELD_TYPE.TIME: "time",
    FIELD_TYPE.DATETIME: "datetime",
    FIELD_TYPE.TIMESTAMP: "timestamp",
    FIELD_TYPE.JSON: "json",
}
_NUMBERS = frozenset({"decimal", "tinyint", "smallint", "mediumint", "int", "bigint", "float", "double", "year"})
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
Reader = Callable[[Any], Cell]


def columns_of(description: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """Name and type of each column; `text` for every kind of text and bytes."""
    return tuple((str(column[0]), _type_of(column)) for column in description)


def cells_of(rows: Rows, description: Sequence[Column], timezone: str) -> tuple[Row, ...]:
    """The driver's rows as ours.

    A timestamp is aware, in the zone. A date that no calendar has, such as the zero date, is None. Bits are an int, a
    time is text and bytes are hexadecimal text.
    """
    zone = ZoneInfo(timezone)
    readers = [_reader(_type_of(column), zone) for column in description]
    if not any(readers):
        return tuple(rows)
    return tuple(tuple(_read(cell, reader) for cell, reader in zip(row, readers, strict=True)) for row in rows)


def _read(cell: Any, reader: Reader | None) -> Cell:
    value: Cell = cell if reader is None or cell is None else reader(cell)
    return value


def _type_of(column: Column) -> str:
    return _NAMES.get(column[1], "text")


def _reader(kind: str, zone: ZoneInfo) -> Reader | None:
    if kind in _NUMBERS:
        return None
    readers: dict[str, Reader] = {
        "timestamp": partial(_instant, zone=zone),
        "datetime": _day,
        "date": _day,
        "time": _clock,
        "bit": _bits,
    }
    reader: Reader = readers.get(kind, _text)
    return reader


def _day(cell: Any) -> Cell:
    return cell if isinstance(cell, date) else None


def _instant(cell: Any, zone: ZoneInfo) -> Cell:
    return cell.replace(tzinfo=zone) if isinstance(cell, datetime) else None


def _text(cell: Any) -> Cell:
    return f"0x{cell.hex()}" if isinstance(cell, bytes) else str(cell)


def _bits(cell: Any) -> Cell:
    return int.from_bytes(cell) if isinstance(cell, bytes) else int(cell)


def _clock(cell: Any) -> Cell:
    """`-26:05:09`, as the engine writes a time; it may be longer than a day."""
    if not isinstance(cell, timedelta):
        return str(cell)
    hours, rest = divmod(abs(cell), _HOUR)
    minutes, left = divmod(rest, _MINUTE)
    fraction = f".{left.microseconds:06}" if left.microseconds else ""
    sign = "-" if cell < timedelta() else ""
    return f"{sign}{hours:02}:{minutes:02}:{left.seconds:02}{fraction}"
