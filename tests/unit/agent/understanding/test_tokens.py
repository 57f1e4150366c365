from decimal import Decimal

import pytest

from agent.understanding.tokens import fold, parse_number, tokenize


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10,000", "10000"),
        ("10.000", "10000"),
        ("10 000", "10000"),
        ("1,234,567", "1234567"),
        ("1.234.567,5", "1234567.5"),
        ("1,234.5", "1234.5"),
        ("2,5", "2.5"),
        ("0,125", "0.125"),
        ("10k", "10000"),
        ("1.5M", "1500000"),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["abc", "1.2.3"])
def test_what_is_not_one_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_hyphens_split_words_and_codes_stay_whole() -> None:
    words = [token.word for token in tokenize("E-commerce, код 08Х18Н10 y 10.4 el 5.10.2026 >5%")]
    assert words == ["e", "commerce", "код", "08x18h10", "y", "10.4", "el", "5.10.2026", ">", "5", "%"]


def test_accents_and_case_do_not_matter_but_the_russian_short_i_does() -> None:
    assert fold("FACTURACIÓN Ёлка Май") == "facturacion елка май"
