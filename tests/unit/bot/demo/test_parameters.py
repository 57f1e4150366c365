from datetime import date

import pytest

from bot.demo.parameters import DemoParameters


@pytest.mark.parametrize(
    ("end_date", "first_date"),
    [
        (date(2026, 10, 31), date(2024, 5, 1)),
        (date(2026, 10, 1), date(2024, 5, 1)),
        (date(2026, 12, 31), date(2024, 7, 1)),
        (date(2026, 6, 15), date(2024, 1, 1)),
        (date(2026, 5, 15), date(2023, 12, 1)),
    ],
)
def test_the_data_starts_with_the_thirtieth_month_back(end_date: date, first_date: date) -> None:
    assert DemoParameters(end_date=end_date).first_date == first_date


def test_the_days_run_from_the_first_to_the_end_date_without_a_gap() -> None:
    days = DemoParameters(end_date=date(2026, 10, 31)).days()
    assert (days[0], days[-1], len(set(days))) == (date(2024, 5, 1), date(2026, 10, 31), 914)


def test_there_are_thirty_months_and_the_last_is_that_of_the_end_date() -> None:
    months = DemoParameters(end_date=date(2026, 10, 31)).months()
    assert (months[0], months[8], months[-1], len(set(months))) == ("2024-05", "2025-01", "2026-10", 30)


@pytest.mark.parametrize(("end_date", "last"), [(date(2026, 10, 31), 62), (date(2026, 10, 15), 30)])
def test_only_the_last_month_can_be_unfinished(end_date: date, last: int) -> None:
    parameters = DemoParameters(end_date=end_date)
    assert (parameters.passed(62, 28), parameters.passed(62, 29)) == (62, last)
