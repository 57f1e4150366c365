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
