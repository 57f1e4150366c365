"""Row: how long a forecast takes, and how often what really came lay within its intervals, on the demo's revenue."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from time import perf_counter

import pandas as pd

from agent.analysis.reading import Moment
from agent.forecasting.models import look_ahead
from agent.forecasting.project import project
from agent.values.forecast import Forecast
from bot.demo.parameters import DemoParameters
from bot.demo.payments.transactions import transaction_blocks
from tests.bench.measuring import Row

KNOWN = 24
"""Months of history that each forecast is given; the months after them are what really came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many values of the future lay within the 80 and the 95 % interval, and the time of each forecast (ms)."""

    held_80: int
    held_95: int
    values: int
    error: float
    naive_error: float
    times: tuple[float, ...]


def forecast_row(*, series: int) -> Row:
    """Forecasts of so many of the demo's monthly revenues: in all, by channel, by brand."""
    found = coverage(series)
    return Row(
        name="forecast of six months",
        subject_is=f"six models tried on 24 months of demo revenue, {len(found.times)} series; of {found.values} values"
        f" that came, {found.held_80 / found.values:.0%} lay in the 80 % and {found.held_95 / found.values:.0%} in the"
        f" 95 % interval; error {found.error:.1%}, the same month of the year before {found.naive_error:.1%}",
        times=found.times,
        floor_is="the seasonal naive model alone, fitted once: tests/bench/forecasting.py",
        floor_times=tuple(_naive_times(series)),
    )


def coverage(series: int) -> Coverage:
    """Forecast the last months of the first `series` revenues from those before, and look what came."""
    held_80 = held_95 = values = 0
    missed, missed_naively, size, times = 0.0, 0.0, 0.0, []
    for revenue in revenues()[:series]:
        came = revenue.iloc[KNOWN:]
        started = perf_counter()
        found = project(_moments(revenue.iloc[:KNOWN]), "month", len(came), "amount")
        times.append((perf_counter() - started) * 1000)
        assert isinstance(found, Forecast)
        for at, (step, real) in enumerate(zip(found.steps, came, strict=True)):
            held_80 += float(step.low_80) <= real <= float(step.high_80)
            held_95 += float(step.low_95) <= real <= float(step.high_95)
            missed += abs(float(step.value) - real)
            missed_naively += abs(float(revenue.iloc[KNOWN - 12 + at]) - real)
            size += real
            values += 1
    return Coverage(
        held_80=held_80,
        held_95=held_95,
        values=values,
        error=missed / size,
        naive_error=missed_naively / size,
        times=tuple(times),
    )


@cache
def revenues() -> tuple["pd.Series[float]", ...]:
    """The demo's approved amounts by month, in all, then by channel, then by brand."""
    blocks = transaction_blocks(DemoParameters(end_date=date(2026, 10, 31)))
    frame = pd.concat(
        pd.DataFrame({"day": b.day, "amount": b.amount * b.approved / 100, "channel": b.channel, "brand": b.brand})
        for b in blocks
    )
    days = pd.Series([pd.Period(date.fromordinal(int(day)), freq="M") for day in frame["day"].unique()])
    month = frame["day"].map(dict(zip(frame["day"].unique(), days, strict=True)))
    return tuple(_split(frame, month))


def _split(frame: pd.DataFrame, month: "pd.Series[pd.Period]") -> Iterator["pd.Series[float]"]:
    yield frame["amount"].groupby(month).sum()
    for part in ("channel", "brand"):
        for member in sorted(frame[part].unique()):
            chosen = frame[part] == member
            yield frame["amount"][chosen].groupby(month[chosen]).sum()


def _moments(history: "pd.Series[float]") -> list[Moment]:
    starts = pd.PeriodIndex(history.index).start_time.date
    return [
        Moment(value=Decimal(f"{value:.2f}"), start=start)
        for start, value in zip(starts, history.tolist(), strict=True)
    ]


def _naive_times(series: int) -> Iterator[float]:
    for revenue in revenues()[:series]:
        started = perf_counter()
        look_ahead("seasonal_naive", revenue.iloc[:KNOWN], 12, len(revenue) - KNOWN)
        yield (perf_counter() - started) * 1000
