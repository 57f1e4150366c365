"""A metric along time as a pandas series of one number per bucket."""

from collections.abc import Sequence
from datetime import date

import pandas as pd

from agent.analysis.buckets import FREQUENCIES
from agent.analysis.reading import Moment
from semantic_catalog.model import TimeGrain


def as_series(moments: Sequence[Moment], grain: TimeGrain) -> "pd.Series[float]":
    """The moments as floats on a regular index of buckets, oldest first; a bucket without a moment is NaN."""
    frequency = FREQUENCIES[grain]
    index = pd.PeriodIndex([pd.Period(moment.start, freq=frequency) for moment in moments], freq=frequency)
    known = pd.Series([float(moment.value) for moment in moments], index=index, dtype="float64").sort_index()
    if known.empty:
        return known
    return known.reindex(pd.period_range(known.index[0], known.index[-1], freq=frequency))


def first_days(series: "pd.Series[float]") -> tuple[date, ...]:
    """The first day of each bucket of the series."""
    return tuple(pd.PeriodIndex(series.index).start_time.date)
