from dataclasses import replace

import pytest

from agent.analysis.sought import sought_members
from agent.values.spec import MemberFilter
from tests.unit.agent.analysis.results import spec
from tests.unit.agent.understanding.asking import payments

DAILY = "semantic.v_daily_payment_metrics"


def sought(where: str) -> dict[str, tuple[str, ...]]:
    found = sought_members(None, f"SELECT sum(d.fee_amount) FROM {DAILY} AS d WHERE {where}", payments())
    return {each.dimension: each.values for each in found}


@pytest.mark.parametrize(
    ("where", "members"),
    [
        ("channel = 'POS'", {"channel": ("POS",)}),
        ("'Visa' = d.brand AND payment_date > DATE '2026-01-01'", {"brand": ("Visa",)}),
        ("d.channel IN ('pos', 'atm')", {"channel": ("pos", "atm")}),
        ("NOT channel = 'pos'", {}),
        ("channel <> 'pos'", {}),
        ("transactions_count = 5", {}),
        ("lower(channel) = 'pos'", {}),
        ("EXISTS (SELECT 1 FROM semantic.v_merchant_performance AS m WHERE m.segment = 'vip')", {"segment": ("vip",)}),
    ],
)
def test_conditions_on_dimensions_are_what_is_sought(where: str, members: dict[str, tuple[str, ...]]) -> None:
    assert sought(where) == members


def test_a_case_asks_for_nothing() -> None:
    sql = f"SELECT sum(CASE WHEN channel = 'x' THEN 1 END) FROM {DAILY}"
    assert sought_members(None, sql, payments()) == ()


def test_no_sql_seeks_nothing() -> None:
    assert sought_members(None, "no sql (", payments()) == ()


def test_a_spec_seeks_what_it_keeps_and_not_what_it_leaves_out() -> None:
    asked = spec("fees")
    kept = MemberFilter(dimension=payments().dimensions[0].name, values=("a",))
    both = replace(asked, filters=(kept, replace(kept, include=False)))
    assert sought_members(both, "", payments()) == (kept,)
