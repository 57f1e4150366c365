"""StatsForecast's models, by the names we give them."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from agent.values.forecast import ModelName
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import TimeGrain

SEASONS: dict[TimeGrain, int] = {"day": 7, "week": 52, "month": 12}
"""Buckets after which a series may repeat itself."""

LEVELS = (80, 95)
# Exponential smoothing keeps a state per season: beyond this there are too many to fit.
LONGEST_SMOOTHED = 24
# The search for an ARIMA takes seconds on longer histories.
LONGEST_SEARCHED = 150


class ForecastNotInstalled(OperatorError):
    """The library behind forecasts is an extra that is not installed."""

    code = "forecast_not_installed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """A model's values for the next buckets, and their bounds by level and side (`lo-80`)."""

    mean: "pd.Series[float]"
    bounds: Mapping[str, "pd.Series[float]"]


def naive_of(history: "pd.Series[float]", season: int) -> ModelName:
    """The plainest forecast: the same bucket a season ago where there is one, else the last value."""
    return "seasonal_naive" if len(history) > season + 1 else "naive"


def candidates(history: "pd.Series[float]", season: int) -> tuple[ModelName, ...]:
    """The models worth trying on so much history, the plainest first."""
    plain: tuple[ModelName, ...] = ("naive", "drift")
    seasonal: tuple[ModelName, ...] = ("seasonal_naive",) if len(history) > season + 1 else ()
    fitted: tuple[ModelName, ...] = ("ets", "theta")
    searched: tuple[ModelName, ...] = ("arima",) if len(history) <= LONGEST_SEARCHED else ()
    return (*plain, *seasonal, *fitted, *searched)


def look_ahead(model: ModelName, history: "pd.Series[float]", season: int, steps: int) -> Ahead:
    """The model fitted to a history without gaps, and what it says of the next buckets. Blocks for up to seconds.

    Raises `ForecastNotInstalled`.
    """
    makers = _makers()
    with warnings.catch_warnings():
        # The library warns of fits that are merely poor; the backtest tells how poor.
        warnings.simplefilter("ignore")
        said = makers[model](_season_for(history, season)).forecast(
            y=history.to_numpy(dtype="float64"), h=steps, level=list(LEVELS)
        )
    bounds = {f"{side}-{level}": pd.Series(said[f"{side}-{level}"]) for side in ("lo", "hi") for level in LEVELS}
    return Ahead(mean=pd.Series(said["mean"]), bounds=bounds)


def _season_for(history: "pd.Series[float]", season: int) -> int:
    """The season that so much history can tell anything about; 1 is none."""
    return season if len(history) > season + 1 else 1


@cache
def _makers() -> Mapping[ModelName, Callable[[int], Any]]:
    try:
        from statsforecast import models
    except ImportError as error:
        raise ForecastNotInstalled("forecasts need 'countersign[forecast]'") from error
    return {
        "naive": lambda _: models.Naive(),
        "seasonal_naive": lambda season: models.SeasonalNaive(season_length=season),
        "drift": lambda _: models.RandomWalkWithDrift(),
        "ets": lambda season: models.AutoETS(season_length=season if season <= LONGEST_SMOOTHED else 1),
        "theta": lambda season: models.AutoTheta(season_length=season),
        "arima": lambda season: models.AutoARIMA(season_length=season if season <= LONGEST_SMOOTHED else 1),
    }
