from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal

import pytest

from bot.demo.erp_finance import members
from bot.demo.erp_finance.rows import actual_rows, plan_rows, tables
from bot.demo.parameters import DemoParameters
from tests.unit.bot.demo.digests import digest

USUAL = DemoParameters(end_date=date(2026, 10, 31))
SIGNS = {account.code: account.sign for account in members.ACCOUNTS}


def test_the_data_of_the_tests_and_evals_is_the_same_on_every_machine() -> None:
    assert {name: digest(rows)[:16] for name, rows in tables(USUAL)} == {
        "companies": "b266c0fff49adb01",
        "cebes": "03e29a8e24d3ee5e",
        "cost_centers": "8901d8c70b4b42f5",
        "trm_accounts": "f18a9cbbc1dbbc3b",
        "fin_actuals": "a6c3be6b086df2d0",
        "fin_plan": "08c72857259e66e5",
    }


@pytest.mark.parametrize(
    "other", [DemoParameters(end_date=USUAL.end_date, seed=8), DemoParameters(end_date=date(2026, 9, 30))]
)
def test_another_seed_or_end_date_gives_other_books_and_plans(other: DemoParameters) -> None:
    assert digest(actual_rows(other)) != digest(actual_rows(USUAL))
    assert digest(plan_rows(other)) != digest(plan_rows(USUAL))


def test_the_scale_changes_nothing_as_the_books_are_monthly() -> None:
    larger = DemoParameters(end_date=USUAL.end_date, scale=3)
    assert digest(actual_rows(larger)) == digest(actual_rows(USUAL))


def test_every_amount_is_reported_above_zero() -> None:
    assert all(Decimal(str(row[5])) * SIGNS[str(row[4])] > 0 for row in actual_rows(USUAL))
    assert all(Decimal(str(row[5])) * SIGNS[str(row[3])] > 0 for row in plan_rows(USUAL))


def test_an_unfinished_month_has_what_was_posted_so_far_and_its_whole_plan() -> None:
    half = DemoParameters(end_date=date(2026, 10, 15))
    whole, part = _of_october(USUAL), _of_october(half)
    assert part.keys() == whole.keys()
    assert all(abs(part[line] * 31 / 15 - whole[line]) < Decimal("0.05") for line in whole)
    assert digest(plan_rows(half)) == digest(plan_rows(USUAL))


@pytest.mark.parametrize(("end_date", "last"), [(date(2026, 10, 31), "2026-12"), (date(2026, 12, 31), "2026-12")])
def test_the_plan_runs_to_december_in_two_versions(end_date: date, last: str) -> None:
    rows = list(plan_rows(DemoParameters(end_date=end_date)))
    assert max(str(row[0]) for row in rows) == last
    assert set(Counter(row[:4] for row in rows).values()) == {2}


def test_a_month_is_unlike_another_but_never_without_reason() -> None:
    revenues: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for month, _, cebe, _, account, amount, _ in actual_rows(USUAL):
        if SIGNS[str(account)] < 0:
            revenues[str(cebe), str(month)] -= Decimal(str(amount))
    assert revenues["CB120", "2026-01"] > revenues["CB120", "2026-06"] * Decimal("1.3")
    assert revenues["CB200", "2025-03"] < revenues["CB200", "2025-02"] * Decimal("0.85")


def _of_october(parameters: DemoParameters) -> dict[tuple[object, ...], Decimal]:
    return {row[1:5]: Decimal(str(row[5])) for row in actual_rows(parameters) if row[0] == "2026-10"}
