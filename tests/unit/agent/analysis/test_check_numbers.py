import pytest

from agent.analysis.check_numbers import unsupported_numbers
from agent.analysis.kpis import compute_kpis
from semantic_catalog.model import Locale
from tests.unit.agent.analysis.cases import cases
from tests.unit.agent.analysis.results import payments


def found(text: str, name: str = "amount_by_channel", locale: Locale = "en", row_count: int | None = None) -> list[str]:
    case = next(case for case in cases(locale) if case.name == name)
    kpis = compute_kpis(case.table, case.spec, payments(), locale)
    rows = len(case.table.rows) if row_count is None else row_count
    return [
        token.replace("\u00a0", " ") for token in unsupported_numbers(text, case.table, kpis, case.spec, locale, rows)
    ]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "POS took S/ 6.4 M, exactly S/ 6,412,000.50, of S/ 12.4 M in 4 channels"),
        ("en", "about 6.4 million, or 6,412 thousand, in the 7 days to 31 October 2026"),
        ("en", "from 2026-10-25 to October 31, 2026, and Oct 28"),
        ("es", "POS: 6,4 millones, S/ 6.412.000,50, del 25 al 31 de octubre de 2026"),
        ("ru", "POS — 6,4 млн, ровно S/ 6 412 000,50, с 25 октября по 31 окт. 2026"),
        ("ru", "всего 12,4 миллиона за 25–31 октября 2026"),
    ],
)
def test_numbers_of_the_result_are_supported_however_they_are_written(locale: Locale, text: str) -> None:
    assert found(text, locale=locale) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("POS took S/ 6.5 M", ["S/ 6.5 M"]),
        ("POS took S/ 6,412,001.50", ["S/ 6,412,001.50"]),
        ("POS took 6.4 %", ["6.4 %"]),
        ("in 5 channels", ["5"]),
        ("in 9 days", ["9"]),
        ("on 24 October 2026", ["24"]),
        ("in 2025", ["2025"]),
        ("it fell by −6.4 M", ["−6.4 M"]),
        ("total S/ 12.4 B", ["S/ 12.4 B"]),
        ("between 6.4 M and 7.7 M", ["7.7 M"]),
    ],
)
def test_planted_number_is_caught(text: str, wrong: list[str]) -> None:
    assert found(text) == wrong


@pytest.mark.parametrize(
    ("locale", "text"), [("es", "POS: 6,5 M"), ("ru", "POS — 6,5 млн"), ("ru", "итого 13 412 345,6")]
)
def test_planted_number_is_caught_in_every_language(locale: Locale, text: str) -> None:
    assert len(found(text, locale=locale)) == 1


def test_points_and_percentages_are_not_the_same() -> None:
    assert found("fell 4.1 points to 82.8 %", name="single_fell_in_points") == []
    assert found("fell 4.1 % to 82.8 points", name="single_fell_in_points") == ["4.1 %", "82.8 points"]


def test_percentage_is_checked_at_the_precision_shown() -> None:
    assert found("about 87 %, 86.9 % or 86.92 %", name="single") == []
    assert found("86.93 % or 86 %", name="single") == ["86.93 %", "86 %"]


def test_digits_in_names_are_no_numbers_and_excuse_none() -> None:
    assert found("Tottus 24 leads, Metro 7 is third", name="top_merchants") == []
    assert found("24 stores", name="top_merchants") == ["24"]


def test_limit_and_row_count_may_be_said() -> None:
    assert found("the 4 best of 212", name="top_merchants", row_count=212) == []


def test_ranges_are_not_negative_numbers() -> None:
    assert found("81.2–91.4 %", name="rate_by_channel") == []
    assert found("81.3–91.4 %", name="rate_by_channel") == ["81.3"]
    assert found("81.2 %–91.4 %", name="rate_by_channel") == []
