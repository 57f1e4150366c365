"""The numbers of one column of a result, summed up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from heapq import nlargest, nsmallest
from itertools import chain

from agent.values.result import Row

MOST_RANKED = 12
"""Of how many rows it is known that theirs are the highest, or the lowest, values of a long result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value and the row it stands in."""

    value: Decimal
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """How many numbers there are, their total, and where the ends stand; of equal ends the first.

    `highest` and `lowest` are ranked, at most `MOST_RANKED`; `negative` and `above_one` are the first of their kind.
    """

    count: int
    total: Decimal
    is_any_nonzero: bool
    first: Point | None
    highest: tuple[Point, ...]
    lowest: tuple[Point, ...]
    negative: Point | None
    above_one: Point | None


class NumbersSeen:
    """Gathers `Numbers` from points as they come."""

    def __init__(self) -> None:
        self._count = 0
        self._total = Decimal(0)
        self._nonzero = False
        self._first: Point | None = None
        self._negative: Point | None = None
        self._above_one: Point | None = None
        self._highest: list[Point] = []
        self._lowest: list[Point] = []

    def add(self, values: Sequence[Decimal | None], rows: Sequence[Row]) -> None:
        """Take more rows into account, in order: the number of each, or None."""
        known = [value for value in values if value is not None]
        if not known:
            return
        low, high = min(known), max(known)
        self._count += len(known)
        self._total = sum(known, self._total)
        self._nonzero = self._nonzero or low != 0 or high != 0
        self._first = self._first or next(_points(values, rows))
        if low < 0 and self._negative is None:
            self._negative = next(point for point in _points(values, rows) if point.value < 0)
        if high > 1 and self._above_one is None:
            self._above_one = next(point for point in _points(values, rows) if point.value > 1)
        # Most pieces of a long result hold none of its ends.
        if len(self._highest) < MOST_RANKED or high > self._highest[-1].value:
            self._highest = nlargest(MOST_RANKED, chain(self._highest, _points(values, rows)), key=_value)
        if len(self._lowest) < MOST_RANKED or low < self._lowest[-1].value:
            self._lowest = nsmallest(MOST_RANKED, chain(self._lowest, _points(values, rows)), key=_value)

    def numbers(self) -> Numbers:
        """What was gathered."""
        return Numbers(
            count=self._count,
            total=self._total,
            is_any_nonzero=self._nonzero,
            first=self._first,
            highest=tuple(self._highest),
            lowest=tuple(self._lowest),
            negative=self._negative,
            above_one=self._above_one,
        )


def numbers_of(values: Sequence[Decimal | None], rows: Sequence[Row]) -> Numbers:
    """The numbers of those rows."""
    seen = NumbersSeen()
    seen.add(values, rows)
    return seen.numbers()


def _points(values: Sequence[Decimal | None], rows: Sequence[Row]) -> Iterator[Point]:
    return (Point(value=value, row=row) for value, row in zip(values, rows, strict=True) if value is not None)


def _value(point: Point) -> Decimal:
    return point.value
