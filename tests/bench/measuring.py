"""Measures things side by side, and says what was found in figures."""

import gc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from time import perf_counter

Timed = Callable[[], Awaitable[float]]
"""Does a thing once and says how many milliseconds of it count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: what was measured, in `unit`, one value a repetition. `floor_is` is empty without a floor.

    `unit` is `ms`, `MB`, or whatever is counted `a second`; `times` are values of that unit, whatever it is.
    """

    name: str
    subject_is: str
    times: tuple[float, ...]
    floor_is: str = ""
    floor_times: tuple[float, ...] = ()
    unit: str = "ms"

    @property
    def ratio(self) -> float | None:
        """How many times its floor's median the subject's median is; None without a floor."""
        return percentile(self.times, 50) / percentile(self.floor_times, 50) if self.floor_times else None


def percentile(times: Sequence[float], percent: float) -> float:
    """The smallest time that so many percent of all times do not pass."""
    ordered = sorted(times)
    return ordered[max(ceil(len(ordered) * percent / 100), 1) - 1]


async def side_by_side(subject: Timed, floor: Timed, *, warm_up: int, repetitions: int) -> tuple[list[float], ...]:
    """Times of both, taken in turns, so that whatever else the machine does falls on both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    sides = ((subject, times[0]), (floor, times[1]))
    for number in range(-warm_up, repetitions):
        for run, kept in sides if number % 2 else reversed(sides):
            spent = await run()
            if number >= 0:
                kept.append(spent)
    return times


@contextmanager
def no_collection() -> Iterator[None]:
    """Garbage of what was measured before is not charged to what is measured now."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def milliseconds(work: Awaitable[object]) -> float:
    """How long awaiting it takes."""
    started = perf_counter()
    await work
    return (perf_counter() - started) * 1_000
