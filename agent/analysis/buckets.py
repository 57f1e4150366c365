"""Time buckets of a grain: where they start, end and follow each other. Weeks start on Monday."""

from calendar import monthrange
from datetime import date, timedelta

import pandas as pd

from semantic_catalog.model import TimeGrain

FREQUENCIES: dict[TimeGrain, str] = {"day": "D", "week": "W-SUN", "month": "M", "quarter": "Q-DEC", "year": "Y-DEC"}
"""Pandas' names of our grains; a week that ends on Sunday starts on Monday."""

_MONTHS: dict[TimeGrain, int] = {"month": 1, "quarter": 3, "year": 12}
_DAYS: dict[TimeGrain, int] = {"day": 1, "week": 7}


def bucket_start(day: date, grain: TimeGrain) -> date:
    """The first day of the bucket that holds `day`."""
    match grain:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
        case "year":
            return date(day.year, 1, 1)


def next_start(start: date, grain: TimeGrain) -> date:
    """The first day of the bucket after the one that starts on `start`."""
    if grain in _DAYS:
        return start + timedelta(days=_DAYS[grain])
    months = start.year * 12 + start.month - 1 + _MONTHS[grain]
    return date(months // 12, months % 12 + 1, 1)


def bucket_end(start: date, grain: TimeGrain) -> date:
    """The last day of the bucket that starts on `start`, as far as the calendar goes."""
    if grain in _DAYS:
        return date.fromordinal(min(start.toordinal() + _DAYS[grain] - 1, date.max.toordinal()))
    month = start.month + _MONTHS[grain] - 1
    return start.replace(month=month, day=monthrange(start.year, month)[1])


def buckets_between(first: date, last: date, grain: TimeGrain) -> tuple[date, ...]:
    """The first days of every bucket that holds a day from `first` to `last`, in order."""
    if last < first:
        return ()
    return tuple(pd.period_range(first, last, freq=FREQUENCIES[grain]).start_time.date)
