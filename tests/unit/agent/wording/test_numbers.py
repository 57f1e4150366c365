from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from agent.values.result import Cell, ResultColumn
from agent.wording.numbers import amount, count, decimal, percent, points, write_cell
from semantic_catalog.model import Locale

SPACES = str.maketrans({"\u00a0": " ", "\u202f": " "})


def column(**fields: Any) -> ResultColumn:
    return ResultColumn(**{"name": "x", "label": "X", "role": "metric", "type": "decimal", **fields})


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("en", ["86.9 %", "−4.1 points", "12,435,231.50", "1,240"]),
        ("es", ["86,9 %", "−4,1 puntos", "12.435.231,50", "1.240"]),
        ("ru", ["86,9 %", "−4,1 п. п.", "12 435 231,50", "1 240"]),
    ],
)
def test_each_locale_has_its_separators_and_words(locale: Locale, written: list[str]) -> None:
    texts = [
        percent(Decimal("0.8692"), locale),
        points(-0.041, locale),
        decimal(12435231.5, locale),
        count(1240, locale),
    ]
    assert [text.translate(SPACES) for text in texts] == written


@pytest.mark.parametrize(
    ("unit", "locale", "written"),
    [
        ("PEN", "en", "S/ 1,234.50"),
        ("USD", "es", "US$ 1.234,50"),
        ("RUB", "ru", "1 234,50 ₽"),
        ("RUB/t", "ru", "1 234,50 ₽/т"),
        ("t", "en", "1,234.50 t"),
        ("kWh", "en", "1,234.50 kWh"),
        (None, "en", "1,234.50"),
    ],
)
def test_an_amount_carries_its_unit(unit: str | None, locale: Locale, written: str) -> None:
    assert amount(Decimal("1234.5"), unit, locale).translate(SPACES) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("12435231.50", "S/ 12.4 M"),
        ("-12435231.50", "−S/ 12.4 M"),
        ("999949", "S/ 999.9 K"),
        ("999960", "S/ 1.0 M"),
        ("9999.99", "S/ 9,999.99"),
        ("10000", "S/ 10.0 K"),
        ("2500000000", "S/ 2.5 B"),
        ("0", "S/ 0.00"),
        ("-0.001", "S/ 0.00"),
    ],
)
def test_a_compact_amount_states_its_scale(value: str, written: str) -> None:
    assert amount(Decimal(value), "PEN", "en", compact=True).translate(SPACES) == written


def test_scales_are_words_of_the_language() -> None:
    assert amount(12_400_000, "RUB", "ru", compact=True).translate(SPACES) == "12,4 млн ₽"
    assert count(15_300, "es", compact=True).translate(SPACES) == "15,3 mil"


def test_number_and_unit_are_never_torn_apart() -> None:
    texts = [
        percent(0.5, "en"),
        points(0.5, "ru"),
        amount(1, "PEN", "es"),
        amount(12_000_000, "RUB", "ru", compact=True),
    ]
    assert all(" " not in text for text in texts)


def test_halves_round_away_from_zero() -> None:
    assert percent(Decimal("0.8685"), "en", decimals=1) == percent(0.869, "en")
    assert decimal(Decimal("-2.5"), "en", decimals=0) == "−3"
    assert decimal(0.125, "en") == "0.13"


def test_a_change_shows_its_direction() -> None:
    assert points(0.0049, "en").startswith("+0.5")
    assert percent(0.042, "en", signed=True).startswith("+4.2")
    assert not percent(0.042, "en").startswith("+")
    assert points(-0.0004, "en").startswith("0.0")
    assert points(-0.041, "en", signed=False).startswith("−4.1")


@pytest.mark.parametrize(
    ("cell", "fields", "written"),
    [
        (None, {}, "—"),
        (Decimal("NaN"), {"format": "amount"}, "—"),
        (True, {"type": "boolean"}, "yes"),
        (False, {"type": "boolean"}, "no"),
        ("pos", {"type": "text", "role": "dimension"}, "pos"),
        (date(2026, 10, 31), {"type": "date", "role": "time", "grain": "day"}, "31 Oct 2026"),
        (date(2026, 10, 1), {"type": "date", "role": "time", "grain": "month"}, "Oct 2026"),
        (datetime(2026, 10, 31, 9, 5, tzinfo=UTC), {"type": "timestamp", "role": "other"}, "31 Oct 2026, 09:05"),
        (0.8692, {"format": "percent"}, "86.9 %"),
        (Decimal("0.042"), {"format": "percent", "role": "change"}, "+4.2 %"),
        (Decimal("-0.041"), {"format": "percent", "role": "change", "points": True}, "−4.1 points"),
        (Decimal("12.5"), {"format": "amount", "unit": "PEN"}, "S/ 12.50"),
        (Decimal("12.5"), {"format": "amount", "unit": "PEN", "role": "change"}, "+S/ 12.50"),
        (1240, {"format": "count", "type": "integer"}, "1,240"),
        (Decimal(1240), {"type": "integer"}, "1,240"),
        (Decimal("3.14159"), {}, "3.14"),
        (Decimal("3.14159"), {"format": "decimal"}, "3.14"),
        (Decimal("57865.72"), {"format": "decimal", "unit": "t"}, "57,865.72 t"),
    ],
)
def test_a_cell_is_written_as_its_column_says(cell: Cell, fields: dict[str, Any], written: str) -> None:
    assert write_cell(cell, column(**fields), "en").translate(SPACES) == written


def test_a_boolean_is_a_word_of_the_language() -> None:
    assert [write_cell(True, column(type="boolean"), locale) for locale in ("en", "es", "ru")] == ["yes", "sí", "да"]
