"""What decides the demo data: the same parameters give the same bytes."""

from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoParameters:
    """`end_date` is the last day with data; `scale` multiplies the transaction counts."""

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
