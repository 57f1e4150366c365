from datetime import date

import pytest

from agent.forecasting.horizon import Unit, buckets_ahead, future_starts, horizon_in, without_horizon
from semantic_catalog.model import TimeGrain


@pytest.mark.parametrize(
    ("text", "count", "unit"),
    [
        ("project it for the next 6 months", 6, "month"),
        ("forecast fees for next week", 1, "week"),
        ("predict two quarters ahead", 2, "quarter"),
        ("forecast half a year", 1, "half_year"),
        ("forecast to year end", 1, "year_end"),
        ("monthly revenue of the last 12 months, forecast for a year", 1, "year"),
        ("a couple of weeks ahead", 2, "week"),
        ("pronóstico a 6 meses", 6, "month"),
        ("proyecta los próximos tres meses", 3, "month"),
        ("proyéctalo 3 meses más", 3, "month"),
        ("ventas de los últimos 12 meses con pronóstico a un año", 1, "year"),
        ("pronostica hasta fin de año", 1, "year_end"),
        ("прогноз на 3 месяца", 3, "month"),
        ("прогноз на следующий месяц", 1, "month"),
        ("спрогнозируй на полгода вперёд", 1, "half_year"),
        ("оборот за последние 6 месяцев, прогноз на квартал", 1, "quarter"),
        ("прогноз на две недели", 2, "week"),
        ("прогноз до конца года", 1, "year_end"),
    ],
)
def test_a_horizon_is_read_in_three_languages(text: str, count: int, unit: Unit) -> None:
    found = horizon_in(text)
    assert found is not None
    assert (found.count, found.unit) == (count, unit)


@pytest.mark.parametrize(
    "text",
    ["forecast", "monthly revenue, last 24 months", "pronóstico de los últimos 12 meses", "прогноз, за прошлый месяц",
     "оборот за последние 6 месяцев", "half the merchants"],
)  # fmt: skip
def test_the_past_is_no_horizon(text: str) -> None:
    assert horizon_in(text) is None


@pytest.mark.parametrize(
    ("text", "grain", "buckets"),
    [
        ("forecast", "month", 6),
        ("forecast", "week", 8),
        ("forecast", "day", 14),
        ("next quarter", "month", 3),
        ("next 2 years", "month", 24),
        ("next 10 years", "month", 24),
        ("next 2 weeks", "day", 14),
        ("next month", "week", 5),
        ("next 10 days", "month", 1),
        ("to year end", "month", 2),
        ("next 0 months", "month", 1),
    ],
)
def test_a_horizon_becomes_buckets_within_bounds(text: str, grain: TimeGrain, buckets: int) -> None:
    assert buckets_ahead(horizon_in(text), grain, date(2026, 10, 1)) == buckets


def test_the_horizon_is_taken_out_of_the_question() -> None:
    assert without_horizon("fees for the next 3 months by month", "forecast") == "fees  forecast  by month"
    assert without_horizon("fees by month", "forecast") == "fees by month"


def test_what_lies_ahead_follows_the_newest_bucket() -> None:
    assert future_starts(date(2026, 11, 1), "month", 2) == (date(2026, 12, 1), date(2027, 1, 1))
    assert future_starts(date(2026, 10, 26), "week", 1) == (date(2026, 11, 2),)
