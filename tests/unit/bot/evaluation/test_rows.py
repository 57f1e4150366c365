from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from bot.evaluation.rows import is_equal, table_of

GOLD = table_of(("channel", "approval_rate"), [("pos", Decimal("0.9142")), ("atm", Decimal("0.8731"))])


def same(gold: Any, answer: Any, *, keys: tuple[str, ...] | None = (), ordered: bool = False) -> bool:
    """Whether two tables, each written as (columns, rows), are equal."""
    return is_equal(table_of(*gold), table_of(*answer), keys=keys, ordered=ordered)


def test_names_order_and_extra_columns_are_free() -> None:
    answer = table_of(("rate", "x", "canal"), [(0.8731, 1, "atm"), (0.9142, 2, "pos")])
    assert is_equal(GOLD, answer, keys=("channel",), ordered=False)


def test_values_must_belong_together_row_by_row() -> None:
    swapped = table_of(("canal", "rate"), [("atm", 0.9142), ("pos", 0.8731)])
    assert not is_equal(GOLD, swapped, keys=("channel",), ordered=False)


def test_order_matters_only_where_it_is_asked_for() -> None:
    turned = table_of(("canal", "rate"), [("atm", 0.8731), ("pos", 0.9142)])
    assert is_equal(GOLD, turned, keys=("channel",), ordered=False)
    assert not is_equal(GOLD, turned, keys=("channel",), ordered=True)


def test_a_missing_or_an_extra_row_differs() -> None:
    one = table_of(("canal", "rate"), [("pos", 0.9142)])
    three = table_of(("canal", "rate"), [("pos", 0.9142), ("atm", 0.8731), ("mobile", 0.5)])
    assert not is_equal(GOLD, one, keys=("channel",), ordered=False)
    assert not is_equal(GOLD, three, keys=("channel",), ordered=False)


def test_a_ratio_may_be_a_percentage_but_in_one_scale_for_the_whole_column() -> None:
    percent = table_of(("canal", "rate"), [("pos", 91.42), ("atm", 87.31)])
    mixed = table_of(("canal", "rate"), [("pos", 91.42), ("atm", 0.8731)])
    assert is_equal(GOLD, percent, keys=("channel",), ordered=False)
    assert not is_equal(GOLD, mixed, keys=("channel",), ordered=False)


@pytest.mark.parametrize(
    ("gold", "answer", "equal"),
    [
        (1234.5678, 1234.57, True),
        (1234.5678, 1234.5, True),
        (10_000.0, 10_000.9, True),
        (10_000.0, 10_002.0, False),
        (5, 6, False),
        (0.123456, 0.12, True),
        (0.123456, 0.13, False),
        (12.37, 12.4, True),
        (12.37, 12.5, False),
    ],
)
def test_numbers_agree_within_what_they_show_or_a_ten_thousandth(gold: float, answer: float, *, equal: bool) -> None:
    assert same((("n",), [(gold,)]), (("m",), [(answer,)])) is equal


def test_of_a_code_and_its_description_one_is_enough() -> None:
    gold = (("mcc", "mcc_description", "n"), [("5411", "Grocery Stores", 3), ("5812", "Restaurants", 4)])
    assert same(gold, (("what", "n"), [("Restaurants", 4), ("Grocery Stores", 3)]), keys=("mcc",))
    assert same(gold, (("what", "n"), [("5812", 4), ("5411", 3)]), keys=("mcc",))
    assert not same(gold, (("what", "n"), [("5812", 3), ("5411", 4)]), keys=("mcc",))


@pytest.mark.parametrize("written", ["2026-10", "2026-10-01", date(2026, 10, 1), datetime(2026, 10, 1)])  # noqa: DTZ001  # a day without a zone
def test_a_month_may_be_written_as_its_first_day(written: object) -> None:
    assert same((("period", "n"), [("2026-10", 1)]), (("month", "n"), [(written, 1)]), keys=("period",))


def test_a_quarter_may_be_written_as_its_first_day() -> None:
    assert same((("q", "n"), [("2026-Q3", 1)]), (("quarter", "n"), [(date(2026, 7, 1), 1)]), keys=("q",))


def test_every_numeric_column_of_gold_is_required() -> None:
    gold = (("brand", "now", "before"), [("Visa", 10, 9), ("Amex", 5, 6)])
    assert not same(gold, (("brand", "now"), [("Visa", 10), ("Amex", 5)]), keys=("brand",))


def test_text_that_is_no_key_is_not_required_unless_keys_are_unknown() -> None:
    gold = (("brand", "owner", "n"), [("Visa", "Ana", 10)])
    answer = (("brand", "n"), [("Visa", 10)])
    assert same(gold, answer, keys=("brand",))
    assert not same(gold, answer, keys=None)


def test_an_unknown_value_is_only_an_unknown_value() -> None:
    gold = (("cebe", "margin"), [("CB100", 0.4), ("CB300", None)])
    assert same(gold, (("cebe", "m"), [("CB300", None), ("CB100", 0.4)]), keys=("cebe",))
    assert not same(gold, (("cebe", "m"), [("CB300", 0), ("CB100", 0.4)]), keys=("cebe",))


def test_repeated_rows_are_counted() -> None:
    gold = (("brand", "n"), [("Visa", 1), ("Visa", 1), ("Visa", 2)])
    assert not same(gold, (("b", "n"), [("Visa", 1), ("Visa", 2), ("Visa", 2)]), keys=("brand",))


def test_a_ranking_may_stop_early_after_three_rows_where_that_is_allowed() -> None:
    gold = table_of(("m", "n"), [("a", 5), ("b", 4), ("c", 3), ("d", 2)])
    three, two = (table_of(("m", "n"), [("a", 5), ("b", 4), ("c", 3)][:count]) for count in (3, 2))
    assert is_equal(gold, three, keys=("m",), ordered=True, leading=True)
    assert not is_equal(gold, three, keys=("m",), ordered=True)
    assert not is_equal(gold, two, keys=("m",), ordered=True, leading=True)


def test_two_empty_tables_are_equal() -> None:
    assert same((("n",), []), (("m",), []))
