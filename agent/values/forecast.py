"""What may come next, how sure that is, and how well the same way of looking ahead did before."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from semantic_catalog.model import TimeGrain

ModelName = Literal["naive", "seasonal_naive", "drift", "ets", "theta", "arima"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One bucket ahead, known by its first day, with the bounds that hold it in 80 and in 95 of 100 cases."""

    start: date
    value: Decimal
    low_80: Decimal
    high_80: Decimal
    low_95: Decimal
    high_95: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Backtest:
    """How a model did on its own past: it was given the history up to `origins` days and asked for what came next.

    `error` and `naive_error` are the sum of absolute errors over the sum of absolute values, of the model and of
    `naive`, the plainest forecast there is. `points` are the values compared.
    """

    error: float
    naive_error: float
    naive: ModelName
    origins: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The steps ahead, oldest first, by the model that did best on the past.

    `first` and `last` are the starts of the history's buckets, `observed` how many of them had a value, and `filled`
    how many lay between two others without one.
    """

    grain: TimeGrain
    steps: tuple[Step, ...]
    model: ModelName
    backtest: Backtest
    first: date
    last: date
    observed: int
    filled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unforecastable:
    """Why no forecast is made; `reason` is a text key (`forecast.<reason>`) that `params` fill."""

    reason: Literal["too_short", "too_many_gaps", "too_irregular", "no_course"]
    params: tuple[tuple[str, str], ...] = ()
