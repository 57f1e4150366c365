import math
from datetime import date
from decimal import Decimal

from agent.analysis.reading import Moment
from agent.analysis.series import as_series, first_days


def test_buckets_without_a_value_are_nan_and_order_is_by_time() -> None:
    moments = [Moment(value=Decimal(7), start=date(2026, 3, 1)), Moment(value=Decimal(5), start=date(2026, 1, 1))]
    series = as_series(moments, "month")
    assert first_days(series) == (date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1))
    assert (series.iloc[0], math.isnan(series.iloc[1]), series.iloc[2]) == (5.0, True, 7.0)


def test_weeks_start_on_monday() -> None:
    series = as_series([Moment(value=Decimal(1), start=date(2026, 10, 26))], "week")
    assert first_days(series) == (date(2026, 10, 26),)


def test_no_moments_give_an_empty_series() -> None:
    assert as_series([], "day").empty
