from datetime import date
from functools import cache
from hashlib import sha256

import pytest

from bot.demo.parameters import DemoParameters
from bot.demo.payments.rows import merchant_rows, payment_rows

USUAL = DemoParameters(end_date=date(2026, 10, 31))


def test_the_data_of_the_tests_and_evals_is_the_same_to_the_byte_on_every_machine() -> None:
    assert _digest(USUAL) == "18c321a0253ac1dababce30422ea2cb1cb79a62f1eeb3a6f468e6e7b3da012bc"


@pytest.mark.parametrize(
    "other",
    [
        DemoParameters(end_date=date(2026, 10, 31), seed=8),
        DemoParameters(end_date=date(2026, 10, 30)),
    ],
)
def test_another_seed_or_end_date_gives_other_data(other: DemoParameters) -> None:
    assert _digest(other) != _digest(USUAL)


def test_the_scale_multiplies_the_payments_and_nothing_else() -> None:
    larger = DemoParameters(end_date=USUAL.end_date, scale=2)
    assert merchant_rows(larger) == merchant_rows(USUAL)
    assert sum(rows.count(b"\n") for table, rows in payment_rows(larger) if table == "payment_transactions") == 600_000


def test_a_month_that_is_not_over_ends_with_the_end_date() -> None:
    unfinished = DemoParameters(end_date=date(2026, 11, 9))
    days = [
        line.split(b"\t")[2][:10].decode()
        for table, rows in payment_rows(unfinished)
        if table == "payment_transactions"
        for line in rows.splitlines()
    ]
    assert len(days) == 300_000
    assert (min(days), max(days)) == ("2024-06-01", "2026-11-09")


@cache
def _digest(parameters: DemoParameters) -> str:
    digest = sha256(merchant_rows(parameters))
    for _, rows in payment_rows(parameters):
        digest.update(rows)
    return digest.hexdigest()
