"""Result cells as plain values, and the engine's names of their types."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from agent.values.result import Cell, Row

_CELLS = (str, int, float, Decimal, date, datetime, type(None))


def columns_of(description: Sequence[Sequence[Any]]) -> tuple[tuple[str, str], ...]:
    """Name and type of each column, as `INTEGER` or `DECIMAL(14,2)`."""
    return tuple((str(column[0]), str(column[1])) for column in description)


def cells_of(rows: Sequence[Sequence[Any]]) -> tuple[Row, ...]:
    """The engine's rows as ours: what is no cell comes as text, bytes as hexadecimal text."""
    return tuple(tuple(_cell(value) for value in row) for row in rows)


def _cell(value: Any) -> Cell:
    if isinstance(value, _CELLS):
        return value
    return f"0x{value.hex()}" if isinstance(value, bytes) else str(value)
