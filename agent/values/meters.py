"""What is counted of a day: queries, rows, tokens and money."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Meter = Literal["queries", "rows", "tokens", "money"]

METERS: tuple[Meter, ...] = ("queries", "rows", "tokens", "money")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """How much of each was used, or is needed. Money is in the currency of the agents' file, exact to a millionth."""

    queries: int = 0
    rows: int = 0
    tokens: int = 0
    money: Decimal = Decimal(0)

    def of(self, meter: Meter) -> Decimal:
        """The amount of one of them."""
        return Decimal(getattr(self, meter))


NOTHING = Amounts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most that may be used in a day; None: as much as is wanted."""

    queries: int | None = None
    rows: int | None = None
    tokens: int | None = None
    money: Decimal | None = None

    def of(self, meter: Meter) -> Decimal | None:
        """The limit of one of them."""
        limit = getattr(self, meter)
        return None if limit is None else Decimal(limit)


UNLIMITED = Budget()
