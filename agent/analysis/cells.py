"""Result cells as the numbers and days they stand for."""

from datetime import date, datetime
from decimal import Decimal
from math import isfinite

from agent.values.result import Cell


def as_number(cell: Cell) -> Decimal | None:
    """The cell's exact decimal value; None for NULL, text, booleans, dates, NaN and infinities."""
    if cell is None or isinstance(cell, bool | str | date):
        return None
    if isinstance(cell, float):
        return Decimal(str(cell)) if isfinite(cell) else None
    number = Decimal(cell)
    return number if number.is_finite() else None


def as_day(cell: Cell) -> date | None:
    """The day of a date, an instant or a text month ('2026-10' is its first day); None for anything else."""
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    if isinstance(cell, str):
        return _day_of_text(cell)
    return None


def _day_of_text(text: str) -> date | None:
    try:
        return date.fromisoformat(text + "-01" if len(text) == len("2026-10") else text)
    except ValueError:
        return None
