"""Days out of the columns that date a source's rows."""

from datetime import date, datetime


def as_day(value: object) -> date | None:
    """The day of a date, an instant (in its own zone) or a month written `2026-10`; None for None.

    Raises ValueError for text that is no month or day.
    """
    match value:
        case None:
            return None
        case datetime():
            return value.date()
        case date():
            return value
        case _:
            text = str(value).strip()
            return date.fromisoformat(text if len(text) > len("2026-10") else f"{text}-01")
