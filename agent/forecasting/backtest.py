"""Models tried on a series' own past: given what was known up to a day, asked for what came after it."""

from dataclasses import dataclass
from math import ceil

import pandas as pd

from agent.forecasting.models import Ahead, candidates, look_ahead, naive_of
from agent.values.forecast import Backtest, ModelName

MOST_ORIGINS = 6
# A model is fitted to at least so many values.
SHORTEST_FIT = 8
# A look back is asked for at most this part of the history.
LONGEST_LOOK = 4
# Bounds are never widened further: beyond this the history says too little about the future anyway.
WIDEST = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A model's looks ahead from several days of the past, beside what really came."""

    model: ModelName
    looks: tuple[Ahead, ...]
    actual: tuple["pd.Series[float]", ...]

    @property
    def error(self) -> float:
        """The sum of absolute errors over the sum of absolute values; infinite when all values are zero."""
        missed = sum(float((real - look.mean).abs().sum()) for look, real in self._pairs())
        size = sum(float(real.abs().sum()) for real in self.actual)
        return missed / size if size > 0 else float("inf")

    @property
    def widening(self) -> float:
        """By how much bounds must be stretched for the 80 % ones to have held that part of the values of the past.

        At least 1: bounds that held more are kept, for the past tried is short. Errors of one look come together, so
        that few looks count for less than their values are many.
        """
        stretches = sorted(pd.concat([_stretch(look, real) for look, real in self._pairs()]))
        part = min(0.8 * (1 + 0.5 / len(self.looks)), 1.0)
        return min(max(stretches[ceil(part * len(stretches)) - 1], 1.0), WIDEST)

    def _pairs(self) -> tuple[tuple[Ahead, "pd.Series[float]"], ...]:
        return tuple(zip(self.looks, self.actual, strict=True))


def best_trial(history: "pd.Series[float]", season: int, steps: int) -> tuple[Trial, Backtest]:
    """The model with the least error on the past, and that error beside the plainest model's. Blocks for seconds.

    `history` has no gaps and at least `SHORTEST_FIT` + 1 values. Raises `ForecastNotInstalled`.
    """
    ahead = max(min(steps, len(history) // LONGEST_LOOK), 1)
    ends = _origins(len(history), season, ahead)
    shortest = history.iloc[: ends[-1]]
    naive = naive_of(shortest, season)
    trials = {model: _trial(model, history, ends, season, ahead) for model in candidates(shortest, season)}
    best = min(trials.values(), key=lambda trial: trial.error)
    return best, Backtest(
        error=best.error,
        naive_error=trials[naive].error,
        naive=naive,
        origins=len(ends),
        points=len(ends) * ahead,
    )


def _origins(size: int, season: int, ahead: int) -> tuple[int, ...]:
    """How much of the history each trial is given, the most first. Seasonal models are tried where they can be."""
    seasonal = season + 2
    least = seasonal if size >= seasonal + ahead + 1 else max(SHORTEST_FIT, size // 2)
    least = min(least, size - ahead)
    step = max(ahead // 6, 1)
    return tuple(range(size - ahead, least - 1, -step))[:MOST_ORIGINS]


def _trial(model: ModelName, history: "pd.Series[float]", ends: tuple[int, ...], season: int, ahead: int) -> Trial:
    looks = tuple(look_ahead(model, history.iloc[:end], season, ahead) for end in ends)
    actual = tuple(history.iloc[end : end + ahead].reset_index(drop=True) for end in ends)
    return Trial(model=model, looks=looks, actual=actual)


def _stretch(look: Ahead, real: "pd.Series[float]") -> "pd.Series[float]":
    """How far each value was from the forecast, as a part of the way to the 80 % bound on its side."""
    above = (real - look.mean) / (look.bounds["hi-80"] - look.mean)
    below = (look.mean - real) / (look.mean - look.bounds["lo-80"])
    return above.where(real >= look.mean, below).fillna(0.0)
