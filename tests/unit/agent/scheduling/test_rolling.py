from datetime import date

import pytest

from agent.scheduling.rolling import rolled, rolls
from agent.understanding.comparisons import previous_period, previous_year, week_before
from agent.values.spec import Period, QuerySpec
from semantic_catalog.model import DomainName, MetricName

ASKED = date(2026, 11, 1)


def spec(start: date | None, end: date, words: str = "range") -> QuerySpec:
    period = Period(start=start, end=end, timezone="America/Lima", words=words)
    return QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),), period=period)


@pytest.mark.parametrize(
    ("words", "today", "start", "end"),
    [
        ("last_7_days", date(2026, 11, 9), date(2026, 11, 2), date(2026, 11, 8)),
        ("yesterday", date(2026, 11, 9), date(2026, 11, 8), date(2026, 11, 8)),
        ("today", date(2026, 11, 9), date(2026, 11, 9), date(2026, 11, 9)),
        ("last_week", date(2026, 11, 11), date(2026, 11, 2), date(2026, 11, 8)),
        ("last_month", date(2027, 1, 3), date(2026, 12, 1), date(2026, 12, 31)),
        ("last_3_months", date(2027, 1, 3), date(2026, 10, 1), date(2026, 12, 31)),
        ("last_quarter", date(2027, 1, 3), date(2026, 10, 1), date(2026, 12, 31)),
        ("month_to_date", date(2026, 12, 10), date(2026, 12, 1), date(2026, 12, 9)),
        ("month_to_date", date(2026, 12, 1), date(2026, 12, 1), date(2026, 12, 1)),
        ("year_to_date", date(2027, 3, 1), date(2027, 1, 1), date(2027, 2, 28)),
        ("all_history", date(2026, 12, 1), None, date(2026, 11, 30)),
    ],
)
def test_what_was_said_relative_to_today_moves_along(words: str, today: date, start: date | None, end: date) -> None:
    asked = rolled(spec(ASKED, ASKED, words), today).period
    assert asked is not None
    assert (asked.start, asked.end, asked.words, asked.timezone) == (start, end, words, "America/Lima")
    assert rolls(asked)


def test_dates_that_were_said_stay() -> None:
    october = spec(date(2026, 10, 1), date(2026, 10, 31))
    assert rolled(october, date(2027, 5, 1)) == october
    assert not rolls(october.period)


def test_a_question_without_a_period_stays_as_it_is() -> None:
    timeless = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),))
    assert rolled(timeless, ASKED) == timeless


@pytest.mark.parametrize(
    ("kind", "start", "end"),
    [
        (previous_period, date(2026, 10, 26), date(2026, 11, 1)),
        (previous_year, date(2025, 11, 2), date(2025, 11, 8)),
        (week_before, date(2026, 10, 26), date(2026, 11, 1)),
    ],
)
def test_the_other_period_moves_along(kind: object, start: date, end: date) -> None:
    asked = spec(date(2026, 10, 25), date(2026, 10, 31), "last_7_days")
    assert asked.period is not None
    assert callable(kind)
    compared = QuerySpec(domain=asked.domain, metrics=asked.metrics, period=asked.period, comparison=kind(asked.period))
    found = rolled(compared, date(2026, 11, 9)).comparison
    assert found is not None
    assert (found.period.start, found.period.end) == (start, end)
