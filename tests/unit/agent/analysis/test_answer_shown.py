from datetime import date
from decimal import Decimal

import pytest

from agent.analysis.answer_shown import answer_shown
from agent.analysis.reading import Reading, read_result
from agent.values.spec import MemberFilter, Period, Shown, Threshold
from semantic_catalog.model import DimensionName, Locale, MetricName
from tests.unit.agent.analysis.results import (
    WEEK_BEFORE,
    ZONE,
    compared,
    dimension,
    metric,
    payments,
    spec,
    table,
    time,
)

AMOUNT = MetricName("processed_amount")


def by_channel(locale: Locale = "en", truncated: bool = False) -> Reading:
    columns = (dimension("channel", locale), metric("processed_amount", locale))
    rows = table(columns, ("pos", 900.0), ("ecommerce", 400.0), ("mobile", 400.0), ("atm", 90.0))
    return read_result(rows, spec("processed_amount", by=("channel",)), payments(), locale, truncated)


def by_month() -> Reading:
    rows = table(
        (time("month"), metric("processed_amount", "en")),
        (date(2026, 8, 1), 100.0),
        (date(2026, 9, 1), 250.0),
        (date(2026, 10, 1), 200.0),
    )
    period = Period(start=date(2026, 8, 1), end=date(2026, 10, 31), timezone=ZONE)
    return read_result(rows, spec("processed_amount", grain="month", period=period), payments(), "en")


def told(asked: Shown, reading: Reading) -> str:
    return "\n".join(answer_shown(asked, reading)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("locale", "first"),
    [
        ("en", "Highest Processed amount: POS, S/ 900.00."),
        ("es", "Monto procesado, el valor más alto: POS, S/ 900,00."),
        ("ru", "Оборот, самое большое значение: POS-терминал, S/ 900,00."),
    ],
)
def test_the_largest_row_is_named_with_its_value(locale: Locale, first: str) -> None:
    assert told(Shown(kind="extreme", metric=AMOUNT), by_channel(locale)).startswith(first)


def test_rows_of_one_value_are_named_together() -> None:
    kept = MemberFilter(dimension=DimensionName("channel"), values=("ecommerce", "mobile", "atm"))
    text = told(Shown(kind="extreme", metric=AMOUNT, filters=(kept,)), by_channel())
    assert text == "Highest Processed amount: E-commerce, Mobile, S/ 400.00.\nNext: ATM, S/ 90.00."


def test_the_smallest_row_is_named_where_less_is_asked_for() -> None:
    assert told(Shown(kind="extreme", descending=False), by_channel()).startswith("Lowest Processed amount: ATM")


def test_a_change_is_ranked_by_itself() -> None:
    columns = (dimension("channel"), *compared("processed_amount", "en"))
    rows = table(columns, ("pos", 600.0, 900.0, -300.0, -0.33), ("ecommerce", 500.0, 400.0, 100.0, 0.25))
    reading = read_result(rows, spec("processed_amount", by=("channel",), before=WEEK_BEFORE), payments(), "en")
    text = told(Shown(kind="extreme", of="change", descending=False), reading)
    assert text.startswith("Lowest Processed amount, Change: POS")
    assert "300" in text


def test_two_rows_two_members_and_two_buckets_are_subtracted() -> None:
    first = told(Shown(kind="difference"), by_channel())
    assert "POS S/ 900.00, E-commerce S/ 400.00. Difference: S/ 500.00." in first
    assert "125" in first
    pair = MemberFilter(dimension=DimensionName("channel"), values=("atm", "pos"))
    assert "ATM S/ 90.00, POS S/ 900.00" in told(Shown(kind="difference", filters=(pair,)), by_channel())
    months = Period(start=date(2026, 9, 1), end=date(2026, 10, 31), timezone=ZONE)
    assert "Difference: S/ 50.00." in told(Shown(kind="difference", period=months), by_month())


def test_a_total_is_only_told_of_whole_results_that_add_up() -> None:
    assert told(Shown(kind="total"), by_channel()) == "Processed amount, total of the 4 rows shown: S/ 1,790.00."
    assert told(Shown(kind="total"), by_channel(truncated=True)) == ""
    columns = (dimension("channel"), metric("approval_rate", "en"))
    rates = table(columns, ("pos", 0.9), ("atm", 0.8))
    reading = read_result(rates, spec("approval_rate", by=("channel",)), payments(), "en")
    assert told(Shown(kind="total"), reading) == ""


def test_rows_that_fulfil_a_condition_are_listed() -> None:
    above = Shown(kind="condition", having=(Threshold(metric=AMOUNT, operator=">", value=Decimal(350)),))
    assert told(above, by_channel()).startswith("Yes, 3: POS (S/ 900.00)")
    none = Shown(kind="condition", having=(Threshold(metric=AMOUNT, operator="<", value=Decimal(10)),))
    assert told(none, by_channel()) == "No, none of the rows shown."


def test_what_the_rows_do_not_hold_is_not_answered() -> None:
    assert told(Shown(kind="extreme", metric=MetricName("fees")), by_channel()) == ""
    assert told(Shown(kind="plan"), by_channel()) == ""
