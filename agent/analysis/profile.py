"""What analysis needs to know of all rows of a long result, gathered in one pass over its pieces."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

import numpy as np

from agent.analysis.cells import as_day, as_number
from agent.analysis.layout import Layout, MetricColumn
from agent.analysis.numbers_of import Numbers, NumbersSeen
from agent.values.result import Cell, LongRows, Row

MOST_MEMBERS = 1_000
"""Members of a dimension that are told apart; of one with more it is known that there are more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Facts about every row of a result. Numbers, sums and moments are by the position of their column.

    `repeated` counts the rows whose keys another row has had before; `groups` the different members, all dimensions
    together. `surprises` counts the rows in which a metric has no number and had none before.
    """

    is_ragged: bool
    repeated: int
    groups: int
    nulls: tuple[int, ...]
    numbers: dict[int, Numbers]
    surprises: dict[int, int]
    members: dict[int, int]
    days: frozenset[date]
    moments: dict[int, dict[date, Decimal]]
    shares: dict[int, dict[Cell, Decimal]]


def profile_of(rows: LongRows, layout: Layout, width: int) -> Profile:
    """The profile of all rows. Blocks for seconds the first time."""
    return rows.kept(("profile", layout), lambda: _gathered(rows, layout, width))


def _gathered(rows: LongRows, layout: Layout, width: int) -> Profile:
    gathering = _Gathering(layout, width)
    for piece in rows.pieces():
        gathering.add(piece)
    return gathering.profile()


class _Gathering:
    def __init__(self, layout: Layout, width: int) -> None:
        self._layout = layout
        self._width = width
        self._is_ragged = False
        self._nulls = [0] * width
        self._keys = _Distinct()
        self._groups = _Distinct()
        self._numbers = {place: NumbersSeen() for place in _numeric(layout)}
        self._surprises = {metric.value: 0 for metric in layout.metrics}
        self._members: dict[int, set[str]] = {dimension.value: set() for dimension in layout.dimensions}
        self._days: dict[Cell, date | None] = {}
        self._moments: dict[int, dict[date, Decimal]] = {metric.value: {} for metric in layout.metrics}
        self._shares: dict[int, dict[Cell, Decimal]] = {place: {} for place in _shares(layout)}

    def add(self, piece: tuple[Row, ...]) -> None:
        if any(len(row) != self._width for row in piece):
            self._is_ragged = True
            return
        columns = tuple(zip(*piece, strict=True))
        for place, cells in enumerate(columns):
            self._nulls[place] += cells.count(None)
        self._add_keys(columns, len(piece))
        times = columns[self._layout.time] if self._layout.time is not None else (None,) * len(piece)
        for cell in set(times) - self._days.keys():
            self._days[cell] = as_day(cell)
        numbers = {place: tuple(map(as_number, columns[place])) for place in self._numbers}
        for place, values in numbers.items():
            self._numbers[place].add(values, piece)
        self._add_sums(numbers, times)
        for metric in self._layout.metrics:
            self._surprises[metric.value] += _surprises(metric, numbers)

    def _add_keys(self, columns: tuple[tuple[Cell, ...], ...], count: int) -> None:
        layout = self._layout
        if layout.keys:
            self._keys.add(zip(*(_told_apart(columns[key]) for key in layout.keys), strict=True), count)
        if layout.time is not None and layout.dimensions:
            members = (_told_apart(columns[each.value]) for each in layout.dimensions)
            self._groups.add(zip(*members, strict=True), count)
        for place, found in self._members.items():
            if len(found) <= MOST_MEMBERS:
                found.update(map(str, set(columns[place])))

    def _add_sums(self, numbers: dict[int, tuple[Decimal | None, ...]], times: tuple[Cell, ...]) -> None:
        for place, sums in self._moments.items() if self._layout.time is not None else ():
            for value, cell in zip(numbers[place], times, strict=True):
                day = self._days[cell]
                if value is not None and day is not None:
                    sums[day] = sums.get(day, Decimal(0)) + value
        for place, totals in self._shares.items():
            for value, cell in zip(numbers[place], times, strict=True):
                if value is not None:
                    totals[cell] = totals.get(cell, Decimal(0)) + value

    def profile(self) -> Profile:
        return Profile(
            is_ragged=self._is_ragged,
            repeated=self._keys.repeated(),
            groups=self._groups.different(),
            nulls=tuple(self._nulls),
            numbers={place: seen.numbers() for place, seen in self._numbers.items()},
            surprises=self._surprises,
            members={place: len(members) for place, members in self._members.items()},
            days=frozenset(day for day in self._days.values() if day is not None),
            moments=self._moments,
            shares=self._shares,
        )


Hashes: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
_NOTHING: Hashes = np.empty(0, dtype=np.int64)
_MERGED_FROM = 50_000


class _Distinct:
    """Counts what differs by 64 bits of each: a million keys take eight megabytes, and two of them are one by mistake
    once in tens of millions of results.
    """

    def __init__(self) -> None:
        self._seen = 0
        self._merged = _NOTHING
        self._waiting: list[Hashes] = []

    def add(self, keys: Iterable[tuple[Cell, ...]], count: int) -> None:
        self._seen += count
        self._waiting.append(np.unique(np.fromiter(map(hash, keys), dtype=np.int64, count=count)))
        if sum(map(len, self._waiting)) > max(len(self._merged), _MERGED_FROM):
            self._merge()

    def repeated(self) -> int:
        return self._seen - self.different()

    def different(self) -> int:
        self._merge()
        return len(self._merged)

    def _merge(self) -> None:
        together = np.concatenate([self._merged, *self._waiting])
        self._merged, self._waiting = _NOTHING, []
        together.sort()
        is_new = np.ones(len(together), dtype=bool)
        np.not_equal(together[1:], together[:-1], out=is_new[1:])
        self._merged = together[is_new] if not is_new.all() else together


def _told_apart(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Python hashes -1 and -2, which some databases call their unknown members, to the same number."""
    return tuple("-2" if cell == -2 else cell for cell in cells) if -2 in cells else cells


def _numeric(layout: Layout) -> tuple[int, ...]:
    companions = [(m.value, m.previous, m.change, m.change_pct, m.share) for m in layout.metrics]
    return tuple(dict.fromkeys(place for places in companions for place in places if place is not None))


def _shares(layout: Layout) -> tuple[int, ...]:
    named = [m.value if m.column.name.endswith("_share") else m.share for m in layout.metrics]
    return tuple(place for place in named if place is not None)


def _surprises(metric: MetricColumn, numbers: dict[int, tuple[Decimal | None, ...]]) -> int:
    now = numbers[metric.value]
    before = (None,) * len(now) if metric.previous is None else numbers[metric.previous]
    return sum(value is None and earlier is None for value, earlier in zip(now, before, strict=True))
