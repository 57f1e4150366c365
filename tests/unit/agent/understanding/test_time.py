from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.understanding.calendar import Span
from agent.understanding.comparisons import previous_period, previous_year
from agent.understanding.periods import to_period
from agent.understanding.templates import read_period
from agent.values.spec import Comparison
from semantic_catalog.model import Locale
from tests.unit.agent.understanding.asking import TODAY

CASES = Path(__file__).parents[3] / "cases" / "understanding" / "time.yaml"


def _phrases() -> list[Any]:
    cases = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    return [
        pytest.param(locale, str(words), days, id=f"{locale}-{words}")
        for locale, phrases in cases.items()
        for words, days in phrases.items()
    ]


@pytest.mark.parametrize(("locale", "words", "days"), _phrases())
def test_words_of_time_are_these_days(locale: Locale, words: str, days: list[date | None]) -> None:
    span = read_period(words, locale, TODAY)
    assert span is not None
    assert [span.start, span.end] == days


@pytest.mark.parametrize(
    ("words", "today", "days"),
    [
        ("last week", date(2026, 11, 2), (date(2026, 10, 26), date(2026, 11, 1))),
        ("this quarter", date(2026, 11, 15), (date(2026, 10, 1), date(2026, 11, 14))),
        ("November", date(2026, 11, 15), (date(2026, 11, 1), date(2026, 11, 14))),
        ("last month", date(2027, 1, 1), (date(2026, 12, 1), date(2026, 12, 31))),
        ("last 2 quarters", date(2027, 1, 1), (date(2026, 7, 1), date(2026, 12, 31))),
        ("February", date(2028, 3, 1), (date(2028, 2, 1), date(2028, 2, 29))),
    ],
)
def test_words_of_time_follow_the_clock(words: str, today: date, days: tuple[date, date]) -> None:
    span = read_period(words, "en", today)
    assert span is not None
    assert (span.start, span.end) == days


def test_two_periods_are_no_single_period() -> None:
    assert read_period("October 2026 and October 2025", "en", TODAY) is None


def test_words_without_time_are_no_period() -> None:
    assert read_period("whatever you like", "en", TODAY) is None


def _days(comparison: Comparison | None) -> tuple[date | None, date] | None:
    return (comparison.period.start, comparison.period.end) if comparison else None


@pytest.mark.parametrize(
    ("span", "before"),
    [
        (Span(start=date(2026, 10, 1), end=date(2026, 10, 31)), (date(2026, 9, 1), date(2026, 9, 30))),
        (Span(start=date(2026, 7, 1), end=date(2026, 9, 30)), (date(2026, 4, 1), date(2026, 6, 30))),
        (Span(start=date(2026, 10, 25), end=date(2026, 10, 31)), (date(2026, 10, 18), date(2026, 10, 24))),
        (Span(start=date(2026, 10, 19), end=date(2026, 10, 25)), (date(2026, 10, 12), date(2026, 10, 18))),
        (Span(start=date(2026, 5, 1), end=date(2026, 10, 31)), (date(2025, 11, 1), date(2026, 4, 30))),
        (
            Span(start=date(2026, 1, 1), end=date(2026, 10, 15), words="year_to_date"),
            (date(2025, 1, 1), date(2025, 10, 15)),
        ),
    ],
)
def test_the_period_before_is_as_long_and_whole(span: Span, before: tuple[date, date]) -> None:
    assert _days(previous_period(to_period(span, "America/Lima"))) == before


def test_the_year_before_keeps_months_whole() -> None:
    leap = Span(start=date(2028, 2, 1), end=date(2028, 2, 29))
    assert _days(previous_year(to_period(leap, "America/Lima"))) == (date(2027, 2, 1), date(2027, 2, 28))


def test_nothing_comes_before_all_history() -> None:
    assert previous_period(to_period(Span(start=None, end=date(2026, 10, 31)), "America/Lima")) is None
