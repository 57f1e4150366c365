"""Made-up histories with a known future."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import sin

from agent.analysis.buckets import next_start
from agent.analysis.reading import Moment
from semantic_catalog.model import TimeGrain

STARTS: dict[TimeGrain, date] = {"day": date(2025, 1, 1), "week": date(2025, 1, 6), "month": date(2023, 1, 1)}


def moments(values: Sequence[float | None], grain: TimeGrain = "month") -> list[Moment]:
    """A moment per value from a fixed first bucket on; None leaves its bucket out."""
    start, found = STARTS[grain], []
    for value in values:
        if value is not None:
            found.append(Moment(value=Decimal(f"{value:.4f}"), start=start))
        start = next_start(start, grain)
    return found


def seasonal(count: int, season: int = 12, slope: float = 2.0) -> list[float]:
    """A slope with a season that repeats exactly."""
    return [300 + slope * at + 60 * sin(at % season / season * 6.283) for at in range(count)]
