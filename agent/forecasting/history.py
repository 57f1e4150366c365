"""The past of a metric as a regular series that models can be fitted to, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import pandas as pd

from agent.analysis.buckets import bucket_start
from agent.analysis.reading import Moment
from agent.analysis.series import as_series
from agent.forecasting.horizon import Unit
from agent.values.forecast import Unforecastable
from agent.values.spec import Period
from semantic_catalog.model import TimeGrain

SHORTEST: dict[TimeGrain, int] = {"day": 28, "week": 16, "month": 12}
"""Buckets with a value below which nothing is said about the future."""

LONGEST = 800
# Days of the past that are read: more than a season of each, fewer than the rows that a question may return.
_NEWEST_DAYS: dict[TimeGrain, int] = {"day": 399, "week": 7 * 156}
# More than this part of the buckets without a value, and what is filled in would decide the forecast.
MOST_GAPS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """`values` has one number per bucket, without gaps; `filled` of them were put between their neighbours."""

    values: "pd.Series[float]"
    grain: TimeGrain
    filled: int


def grain_for(unit: Unit | None) -> TimeGrain:
    """The buckets that a forecast of so many units is made of: months unless days or weeks are wished for."""
    match unit:
        case "day" | "week":
            return unit
        case _:
            return "month"


def all_history(grain: TimeGrain, today: date, timezone: str) -> Period:
    """The past that a forecast in such buckets is made from: all months, else as many of the newest as tell something.

    It ends with the last whole bucket before `today`.
    """
    end = bucket_start(today, grain) - timedelta(days=1)
    if grain == "month":
        return Period(start=None, end=end, timezone=timezone, words="all_history")
    start = bucket_start(end - timedelta(days=_NEWEST_DAYS[grain]), grain)
    return Period(start=start, end=end, timezone=timezone)


def read_history(moments: Sequence[Moment], grain: TimeGrain) -> History | Unforecastable:
    """The history of whole buckets (a cut bucket must be left out before), its newest `LONGEST` buckets at most."""
    if len(moments) < SHORTEST[grain]:
        params = (("count", str(len(moments))), ("least", str(SHORTEST[grain])))
        return Unforecastable(reason="too_short", params=params)
    series = as_series(moments, grain).iloc[-LONGEST:]
    gaps = int(series.isna().sum())
    if gaps > MOST_GAPS * len(series):
        return Unforecastable(reason="too_many_gaps", params=(("gaps", str(gaps)), ("total", str(len(series)))))
    if not series.any():
        return Unforecastable(reason="no_course")
    return History(values=series.interpolate(limit_area="inside"), grain=grain, filled=gaps)
