import random
from datetime import date

import pytest

from agent.forecasting.backtest import best_trial
from agent.forecasting.history import History, read_history
from agent.forecasting.project import project
from agent.values.forecast import Forecast, Unforecastable
from tests.unit.agent.forecasting.series import moments, seasonal


def projected(values: list[float | None] | list[float], steps: int = 6) -> Forecast:
    found = project(moments(values), "month", steps, "amount")
    assert isinstance(found, Forecast)
    return found


def why_not(values: list[float | None] | list[float]) -> Unforecastable:
    found = project(moments(values), "month", 6, "amount")
    assert isinstance(found, Unforecastable)
    return found


def test_a_season_on_a_slope_goes_on() -> None:
    whole = seasonal(42)
    found = projected(whole[:36])
    assert [float(step.value) for step in found.steps] == pytest.approx(whole[36:], rel=0.05)
    assert found.steps[0].start == date(2026, 1, 1)
    assert (found.first, found.last, found.observed, found.filled) == (date(2023, 1, 1), date(2025, 12, 1), 36, 0)


def test_the_model_chosen_is_the_one_with_the_least_error_on_the_past() -> None:
    found = projected(seasonal(36, slope=6.0))
    assert found.backtest.naive == "seasonal_naive"
    assert found.backtest.error < found.backtest.naive_error
    assert found.model != "seasonal_naive"


def test_a_flat_line_stays_flat_and_has_no_width() -> None:
    (step,) = projected([100.0] * 24, steps=1).steps
    assert {step.value, step.low_95, step.low_80, step.high_80, step.high_95} == {step.value}
    assert step.value == 100


def test_intervals_hold_the_value_and_each_other_and_widen() -> None:
    noise = random.Random(7)  # noqa: S311  # made-up data
    found = projected([300 + noise.gauss(0, 30) for _ in range(30)])
    for step in found.steps:
        assert step.low_95 <= step.low_80 <= step.value <= step.high_80 <= step.high_95
    first, last = found.steps[0], found.steps[-1]
    assert last.high_95 - last.low_95 >= first.high_95 - first.low_95


def test_what_was_never_negative_is_not_forecast_below_zero() -> None:
    falling = [max(1000 - 40 * at + (60 if at % 2 else 0), 0.0) for at in range(24)]
    found = project(moments(falling), "month", 6, "amount")
    assert isinstance(found, Forecast)
    assert min(step.low_95 for step in found.steps) >= 0


def test_a_percentage_stays_within_its_bounds_and_a_count_is_whole() -> None:
    rate = project(moments([0.97 + 0.02 * (at % 3 == 0) for at in range(30)]), "month", 6, "percent")
    assert isinstance(rate, Forecast)
    assert max(step.high_95 for step in rate.steps) <= 1
    count = project(moments(seasonal(30)), "month", 2, "count")
    assert isinstance(count, Forecast)
    assert all(step.value % 1 == 0 for step in count.steps)


def test_a_short_history_is_refused() -> None:
    assert why_not([1.0, 2.0, 3.0, 4.0, 5.0]) == Unforecastable(
        reason="too_short", params=(("count", "5"), ("least", "12"))
    )


def test_a_history_with_many_gaps_is_refused_and_one_with_few_is_filled() -> None:
    whole: list[float | None] = list(seasonal(30))
    holes = [value for at, value in enumerate(whole)]
    for at in range(3, 27, 3):
        holes[at] = None
    assert why_not(holes) == Unforecastable(reason="too_many_gaps", params=(("gaps", "8"), ("total", "30")))
    whole[7] = None
    found = projected(whole)
    assert (found.observed, found.filled) == (29, 1)


def test_noise_without_a_course_is_refused() -> None:
    draws = random.Random(3)  # noqa: S311  # made-up data
    refused = why_not([draws.choice([0.0, 0.0, 0.0, 10_000.0, 1.0]) for _ in range(36)])
    assert refused.reason == "too_irregular"


def test_nothing_but_zeros_is_refused() -> None:
    assert why_not([0.0] * 24) == Unforecastable(reason="no_course")


def test_the_same_history_gives_the_same_forecast() -> None:
    noise = random.Random(11)  # noqa: S311  # made-up data
    values = [300 + noise.gauss(0, 30) for _ in range(26)]
    assert projected(values) == projected(values)


def test_days_repeat_their_week() -> None:
    values = seasonal(84, season=7, slope=0.0)
    found = project(moments(values, "day"), "day", 7, "count")
    assert isinstance(found, Forecast)
    assert [float(step.value) for step in found.steps] == pytest.approx(values[-7:], abs=1.5)


@pytest.mark.parametrize("size", [12, 13, 14, 18, 24])
def test_every_length_of_history_is_tried_on_its_own_past(size: int) -> None:
    history = read_history(moments(seasonal(size)), "month")
    assert isinstance(history, History)
    trial, backtest = best_trial(history.values, 12, 6)
    assert 1 <= backtest.origins <= 6
    assert backtest.points == sum(len(actual) for actual in trial.actual)
    assert 1.0 <= trial.widening <= 4.0
