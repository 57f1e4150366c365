"""What decides the demo data: the same parameters give the same bytes."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoParameters:
    """`end_date` is the last day with data; `scale` multiplies the transaction counts and nothing monthly."""

    end_date: date
    seed: int = 7
    scale: int = 1

    @property
    def first_date(self) -> date:
        """The first day of the 30 calendar months that end with the month of `end_date`."""
        months = self.end_date.year * 12 + self.end_date.month - MONTHS
        return date(months // 12, months % 12 + 1, 1)

    def days(self) -> tuple[date, ...]:
        """Every day with data, in order."""
        first = self.first_date
        return tuple(first + timedelta(days=offset) for offset in range((self.end_date - first).days + 1))

    def months(self) -> tuple[str, ...]:
        """The 30 calendar months as `2026-10`, in order."""
        return tuple(month_text(self.first_date, at) for at in range(MONTHS))

    def passed(self, number: int, at: int) -> int:
        """What of a month's number has come about: all of it, or in the last month the share of its days with data."""
        if at < MONTHS - 1:
            return number
        days = monthrange(self.end_date.year, self.end_date.month)[1]
        return number * self.end_date.day // days


def month_text(first: date, at: int) -> str:
    """The month `at` months after that of `first`, as `2026-10`."""
    months = first.year * 12 + first.month - 1 + at
    return f"{months // 12}-{months % 12 + 1:02d}"
