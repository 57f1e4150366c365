"""Values far from the others, and lasting changes of level, by medians: a single odd value moves neither."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd

# Fewer values than this have no usual range.
MIN_FOR_OUTLIERS = 8
MIN_FOR_SHIFTS = 12
# A level is one that lasts for at least so many values.
MIN_LEVEL = 4
# Values right before and after a shift that must show it, so that a slope is not taken for a step.
EDGE = 2
# Median absolute deviations that make an outlier: the modified z-score of 3.5, as 3.5 / 0.6745.
OUTLIER_DEVIATIONS = 5.19


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlier:
    """The place of the value furthest from the rest, and the place of a typical value."""

    place: int
    typical: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelShift:
    """The place of the first value of the new level, and the places of a typical value before and since."""

    place: int
    before: int
    since: int


def outlier(values: Sequence[Decimal]) -> Outlier | None:
    """The value that stands out most; None when none does or there are too few to tell."""
    if len(values) < MIN_FOR_OUTLIERS:
        return None
    numbers = _numbers(values)
    typical = _median_place(numbers)
    distances = (numbers - numbers.iloc[typical]).abs()
    furthest = int(distances.argmax())
    spread = distances.iloc[_median_place(distances)]
    is_far = spread > 0 and distances.iloc[furthest] > OUTLIER_DEVIATIONS * spread
    return Outlier(place=furthest, typical=typical) if is_far else None


def level_shift(values: Sequence[Decimal]) -> LevelShift | None:
    """The step between two lasting levels, in values ordered by time; None for a slope, a spike or too few values."""
    if len(values) < MIN_FOR_SHIFTS:
        return None
    numbers = _numbers(values)
    place = _steepest(numbers)
    before = _median_place(numbers.iloc[:place])
    since = place + _median_place(numbers.iloc[place:])
    return LevelShift(place=place, before=before, since=since) if _is_step(numbers, place) else None


def _numbers(values: Sequence[Decimal]) -> "pd.Series[float]":
    return pd.Series([float(value) for value in values], dtype="float64")


def _median_place(numbers: "pd.Series[float]") -> int:
    """Where the lower median stands: a value of the data, so that it may be quoted."""
    return int(numbers.argsort(kind="stable").iloc[(len(numbers) - 1) // 2])


def _steepest(numbers: "pd.Series[float]") -> int:
    """Where the next few values differ most from the last few; near it, where the two sides are most even."""
    before = numbers.rolling(MIN_LEVEL).median().shift(1)
    since = numbers[::-1].rolling(MIN_LEVEL).median()[::-1]
    about = int((since - before).abs().argmax())
    first, last = max(about - MIN_LEVEL, MIN_LEVEL), min(about + MIN_LEVEL, len(numbers) - MIN_LEVEL)
    return min(range(first, last + 1), key=lambda split: float(_deviations(numbers, split).sum()))


def _deviations(numbers: "pd.Series[float]", split: int) -> "pd.Series[float]":
    """How far each value is from the middle of its own side."""
    early, late = numbers.iloc[:split], numbers.iloc[split:]
    return pd.concat([(early - early.median()).abs(), (late - late.median()).abs()])


def _is_step(numbers: "pd.Series[float]", split: int) -> bool:
    early, late = numbers.iloc[:split], numbers.iloc[split:]
    rise = late.median() - early.median()
    at_edge = late.iloc[:EDGE].median() - early.iloc[-EDGE:].median()
    is_steep = rise * at_edge > 0 and abs(at_edge) > abs(rise) / 2
    return bool(is_steep and abs(rise) > OUTLIER_DEVIATIONS * _deviations(numbers, split).median())
