"""From a metric's past to its forecast: the model that did best on that past, with bounds that held on it."""

from collections.abc import Sequence
from decimal import Decimal

import pandas as pd

from agent.analysis.reading import Moment
from agent.analysis.series import first_days
from agent.forecasting.backtest import Trial, best_trial
from agent.forecasting.history import History, read_history
from agent.forecasting.horizon import future_starts
from agent.forecasting.models import SEASONS, Ahead, look_ahead
from agent.values.forecast import Forecast, Step, Unforecastable
from semantic_catalog.model import MetricFormat, TimeGrain

# A forecast that missed by half of the value on its own past is no better than a guess.
MOST_ERROR = 0.5
# Digits kept of a forecast: it is not known to more.
DIGITS = 6


def project(
    moments: Sequence[Moment], grain: TimeGrain, steps: int, format_of: MetricFormat | None
) -> Forecast | Unforecastable:
    """The next `steps` buckets of days, weeks or months; why not, where nothing sound can be said. Blocks for seconds.

    `moments` are whole buckets, oldest first. Bounds never leave what the metric can be: a count or an amount that was
    never negative stays so, a percentage that was always within 0 and 1 stays there. Raises `ForecastNotInstalled`.
    """
    history = read_history(moments, grain)
    if isinstance(history, Unforecastable):
        return history
    trial, backtest = best_trial(history.values, SEASONS[grain], steps)
    if backtest.error > MOST_ERROR:
        return Unforecastable(reason="too_irregular", params=(("error", str(backtest.error)),))
    ahead = look_ahead(trial.model, history.values, SEASONS[grain], steps)
    days = first_days(history.values)
    return Forecast(
        grain=grain,
        steps=_steps(ahead, trial, history, format_of),
        model=trial.model,
        backtest=backtest,
        first=days[0],
        last=days[-1],
        observed=len(days) - history.filled,
        filled=history.filled,
    )


def _steps(ahead: Ahead, trial: Trial, history: History, format_of: MetricFormat | None) -> tuple[Step, ...]:
    low, high = _limits(history.values, format_of)
    starts = future_starts(first_days(history.values)[-1], history.grain, len(ahead.mean))
    columns = {"value": ahead.mean}
    for level in (80, 95):
        columns[f"low_{level}"] = ahead.mean - (ahead.mean - ahead.bounds[f"lo-{level}"]) * trial.widening
        columns[f"high_{level}"] = ahead.mean + (ahead.bounds[f"hi-{level}"] - ahead.mean) * trial.widening
    frame = pd.DataFrame(columns).clip(lower=low, upper=high)
    return tuple(
        Step(start=start, **{str(name): _exact(value, format_of) for name, value in row.items()})
        for start, (_, row) in zip(starts, frame.iterrows(), strict=True)
    )


def _limits(values: "pd.Series[float]", format_of: MetricFormat | None) -> tuple[float | None, float | None]:
    low = 0.0 if values.min() >= 0 else None
    high = 1.0 if format_of == "percent" and values.max() <= 1 else None
    return low, high


def _exact(value: float, format_of: MetricFormat | None) -> Decimal:
    """A float to the digits worth showing: whole for counts, cents for amounts."""
    places = {"count": 0, "amount": 2}.get(format_of or "", DIGITS)
    return Decimal(f"{value:.{places}f}")
