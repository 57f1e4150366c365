from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from psycopg import errors

from bot.demo.payments import members
from bot.demo.state import DomainData

Ask = Callable[[str], list[tuple[Any, ...]]]

METRICS = {
    "transactions_count": "bigint",
    "approved_count": "bigint",
    "declined_count": "bigint",
    "attempted_amount": "numeric",
    "processed_amount": "numeric",
    "fee_amount": "numeric",
}
VIEWS = {
    "v_payment_transactions": {
        "transaction_id": "bigint",
        "transaction_ts": "timestamp with time zone",
        "transaction_date": "date",
        "merchant_id": "integer",
        "merchant_name": "text",
        "mcc": "text",
        "mcc_description": "text",
        "segment": "text",
        "region": "text",
        "channel": "text",
        "brand": "text",
        "amount": "numeric",
        "currency": "text",
        "status": "text",
        "response_code": "text",
        "response_reason": "text",
        "is_approved": "boolean",
        "fee_amount": "numeric",
    },
    "v_daily_payment_metrics": {
        "payment_date": "date",
        "channel": "text",
        "brand": "text",
        "mcc": "text",
        "mcc_description": "text",
        "region": "text",
        **METRICS,
    },
    "v_merchant_performance": {
        "payment_date": "date",
        "merchant_id": "integer",
        "merchant_name": "text",
        "mcc": "text",
        "mcc_description": "text",
        "segment": "text",
        "region": "text",
        **METRICS,
    },
    "v_monthly_payment_metrics": {
        "payment_month": "date",
        "channel": "text",
        "brand": "text",
        "mcc": "text",
        "mcc_description": "text",
        "region": "text",
        **METRICS,
    },
    "v_decline_analysis": {
        "payment_date": "date",
        "channel": "text",
        "brand": "text",
        "response_code": "text",
        "response_reason": "text",
        "declined_count": "bigint",
        "declined_amount": "numeric",
    },
    "v_chargeback_metrics": {
        "chargeback_month": "date",
        "brand": "text",
        "channel": "text",
        "reason_code": "text",
        "reason": "text",
        "chargebacks_count": "bigint",
        "chargeback_amount": "numeric",
        "lost_amount": "numeric",
    },
}


@pytest.fixture
def ask(payments: DomainData) -> Iterator[Ask]:
    with psycopg.connect(payments.reader_url) as connection:
        yield lambda query: connection.execute(query.encode()).fetchall()


@pytest.fixture
def ask_owner(payments: DomainData) -> Iterator[Ask]:
    with psycopg.connect(payments.owner_url) as connection:
        yield lambda query: connection.execute(query.encode()).fetchall()


def test_the_agent_sees_exactly_the_governed_views_with_their_columns_and_types(ask: Ask) -> None:
    rows = ask(
        "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY table_name, ordinal_position"
    )
    seen: dict[str, dict[str, str]] = {}
    for view, column, kind in rows:
        seen.setdefault(view, {})[column] = kind
    assert seen == VIEWS
    assert {view: list(columns) for view, columns in seen.items()} == {
        view: list(columns) for view, columns in VIEWS.items()
    }


def test_the_source_tables_have_the_contract_columns(ask_owner: Ask) -> None:
    rows = ask_owner(
        "SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns "
        "WHERE table_schema = 'operational' GROUP BY table_name"
    )
    assert dict(rows) == {
        "merchants": ["merchant_id", "merchant_name", "mcc", "segment", "region", "onboarded_on", "is_active"],
        "payment_transactions": [
            "transaction_id",
            "merchant_id",
            "created_at",
            "channel",
            "brand",
            "amount",
            "currency",
            "status",
            "response_code",
            "fee_amount",
        ],
        "chargebacks": ["chargeback_id", "transaction_id", "opened_on", "reason_code", "amount", "outcome"],
    }


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("channel", members.CHANNELS),
        ("brand", members.BRANDS),
        ("region", members.REGIONS),
        ("segment", members.SEGMENTS),
        ("currency", members.CURRENCIES),
        ("status", members.STATUSES),
        ("mcc", members.MCCS),
        ("mcc_description", members.MCC_DESCRIPTIONS),
        ("response_code", members.RESPONSE_CODES),
        ("response_reason", members.RESPONSE_REASONS),
    ],
)
def test_every_member_occurs_and_no_other(ask: Ask, column: str, expected: tuple[str, ...]) -> None:
    found = {value for (value,) in ask(f"SELECT DISTINCT {column} FROM semantic.v_payment_transactions")}
    assert found == set(expected)


def test_every_chargeback_reason_occurs_with_its_words(ask: Ask) -> None:
    assert set(ask("SELECT DISTINCT reason_code, reason FROM semantic.v_chargeback_metrics")) == {
        ("10.4", "Fraud – Card Absent"),
        ("13.1", "Merchandise Not Received"),
        ("12.6", "Duplicate Processing"),
        ("13.3", "Not as Described"),
        ("11.3", "No Authorization"),
    }


def test_the_sizes_and_ids_are_those_of_scale_one(ask: Ask, ask_owner: Ask) -> None:
    assert ask("SELECT count(*), min(transaction_id), max(transaction_id) FROM v_payment_transactions") == [
        (300_000, 1, 300_000)
    ]
    assert ask_owner(
        "SELECT count(*), count(DISTINCT merchant_name), min(merchant_id), max(merchant_id) FROM operational.merchants"
    ) == [(200, 200, 1, 200)]
    ((chargebacks,),) = ask("SELECT sum(chargebacks_count) FROM v_chargeback_metrics")
    assert 2_300 <= chargebacks <= 2_500


def test_the_data_covers_thirty_whole_months_in_lima_and_nothing_after(ask: Ask, ask_owner: Ask) -> None:
    assert ask("SELECT min(transaction_date), max(transaction_date) FROM v_payment_transactions") == [
        (date(2024, 5, 1), date(2026, 10, 31))
    ]
    assert ask("SELECT count(DISTINCT payment_month) FROM v_monthly_payment_metrics") == [(30,)]
    assert ask("SELECT count(DISTINCT payment_date) FROM v_daily_payment_metrics") == [(914,)]
    assert ask(
        "SELECT count(*) FROM v_payment_transactions "
        "WHERE transaction_date <> (transaction_ts AT TIME ZONE 'America/Lima')::date"
    ) == [(0,)]
    assert ask_owner("SELECT max(opened_on) <= '2026-10-31' FROM operational.chargebacks") == [(True,)]


def test_a_chargeback_follows_an_approved_payment_by_some_weeks_and_is_never_larger(ask_owner: Ask) -> None:
    assert ask_owner(
        "SELECT count(*) FROM operational.chargebacks AS c JOIN operational.payment_transactions AS t "
        "USING (transaction_id) WHERE t.status <> 'approved' OR c.amount > t.amount "
        "OR c.opened_on - (t.created_at AT TIME ZONE 'America/Lima')::date NOT BETWEEN 7 AND 80"
    ) == [(0,)]


def test_the_status_the_response_code_and_the_fee_agree(ask: Ask) -> None:
    assert ask(
        "SELECT count(*) FROM v_payment_transactions WHERE is_approved <> (status = 'approved') "
        "OR is_approved <> (response_code = '00') OR is_approved <> (fee_amount IS NOT NULL) OR amount <= 0"
    ) == [(0,)]


TOTALS = (
    "sum(transactions_count), sum(approved_count), sum(declined_count), sum(attempted_amount), "
    "sum(processed_amount), sum(fee_amount)"
)


def test_all_views_agree_on_the_totals_of_every_month(ask: Ask) -> None:
    month = "date_trunc('month', payment_date)::date"
    monthly = ask(f"SELECT payment_month, {TOTALS} FROM v_monthly_payment_metrics GROUP BY 1 ORDER BY 1")
    assert ask(f"SELECT {month}, {TOTALS} FROM v_daily_payment_metrics GROUP BY 1 ORDER BY 1") == monthly
    assert ask(f"SELECT {month}, {TOTALS} FROM v_merchant_performance GROUP BY 1 ORDER BY 1") == monthly
    assert (
        ask(
            "SELECT date_trunc('month', transaction_date)::date, count(*), count(*) FILTER (WHERE is_approved), "
            "count(*) FILTER (WHERE NOT is_approved), sum(amount), sum(amount) FILTER (WHERE is_approved), "
            "sum(fee_amount) FROM v_payment_transactions GROUP BY 1 ORDER BY 1"
        )
        == monthly
    )


def test_the_decline_view_agrees_with_the_daily_view(ask: Ask) -> None:
    declined = ask("SELECT payment_date, sum(declined_count), sum(declined_amount) FROM v_decline_analysis GROUP BY 1")
    daily = ask(
        "SELECT payment_date, sum(declined_count), sum(attempted_amount - processed_amount) "
        "FROM v_daily_payment_metrics GROUP BY 1 HAVING sum(declined_count) > 0"
    )
    assert sorted(declined) == sorted(daily)


def test_the_chargeback_view_agrees_with_the_source(ask: Ask, ask_owner: Ask) -> None:
    assert ask(
        "SELECT sum(chargebacks_count), sum(chargeback_amount), sum(lost_amount) FROM v_chargeback_metrics"
    ) == ask_owner(
        "SELECT count(*), sum(amount), sum(amount) FILTER (WHERE outcome = 'lost') FROM operational.chargebacks"
    )


def test_a_few_outage_days_stand_out_by_their_approval_rate(ask: Ask) -> None:
    rates = ask(
        "SELECT payment_date, sum(approved_count) / sum(transactions_count) FROM v_daily_payment_metrics "
        "GROUP BY 1 ORDER BY 2"
    )
    outages = [rate for _, rate in rates if rate < Decimal("0.6")]
    assert 3 <= len(outages) <= 6
    assert min(rate for _, rate in rates[len(outages) :]) > Decimal("0.8")


def test_trade_grows_has_its_season_and_is_unevenly_shared(ask: Ask) -> None:
    months: dict[date, Decimal] = dict(
        ask("SELECT payment_month, sum(transactions_count) FROM v_monthly_payment_metrics GROUP BY 1")
    )
    assert months[date(2025, 12, 1)] > months[date(2025, 11, 1)] * Decimal("1.15")
    assert months[date(2026, 10, 1)] > months[date(2025, 10, 1)] * Decimal("1.05")
    shares = [
        count
        for (count,) in ask(
            "SELECT sum(transactions_count) FROM v_merchant_performance GROUP BY merchant_id ORDER BY 1 DESC"
        )
    ]
    assert len(shares) == 200
    assert sum(shares[:20]) > sum(shares) * Decimal("0.35")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM operational.merchants",
        "SELECT count(*) FROM analytics.fact_payment_transactions",
        "SET TRANSACTION READ WRITE; CREATE TABLE semantic.mine (id int)",
        "SET TRANSACTION READ WRITE; CREATE TABLE public.mine (id int)",
        "SET TRANSACTION READ WRITE; CREATE TEMPORARY TABLE mine (id int)",
        "SET TRANSACTION READ WRITE; CREATE SCHEMA mine",
        "SET TRANSACTION READ WRITE; DELETE FROM semantic.v_decline_analysis",
        "SET TRANSACTION READ WRITE; UPDATE semantic.v_decline_analysis SET declined_count = 0",
        "SET TRANSACTION READ WRITE; SELECT lo_create(0)",
        "SET TRANSACTION READ WRITE; SELECT lo_from_bytea(0, 'x')",
        "SET ROLE payments_owner",
        "SELECT pg_read_file('/etc/hostname')",
    ],
)
def test_the_agent_is_refused_whatever_is_not_a_governed_view(ask: Ask, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        ask(statement)


def test_the_agent_starts_every_transaction_read_only(ask: Ask) -> None:
    assert ask("SHOW transaction_read_only") == [("on",)]


@pytest.mark.parametrize("database", ["control", "postgres", "template1"])
def test_the_agent_cannot_enter_another_database(payments: DomainData, database: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(payments.reader_url.replace("/payments?", f"/{database}?"))


@pytest.mark.parametrize(
    "question",
    [
        "SELECT channel, sum(processed_amount) FROM v_daily_payment_metrics GROUP BY 1",
        "SELECT merchant_name, sum(processed_amount) FROM v_merchant_performance GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
        "SELECT payment_month, sum(fee_amount) FROM v_monthly_payment_metrics GROUP BY 1",
        "SELECT response_reason, sum(declined_count) FROM v_decline_analysis GROUP BY 1",
        "SELECT brand, count(*) FROM v_payment_transactions "
        "WHERE transaction_date BETWEEN '2026-08-01' AND '2026-10-31' GROUP BY 1",
    ],
)
def test_ordinary_questions_stay_far_below_the_cost_caps(ask: Ask, question: str) -> None:
    ((found,),) = ask(f"EXPLAIN (FORMAT JSON) {question}")
    plan = found[0]["Plan"]
    assert plan["Total Cost"] < 30_000
    assert _most_rows(plan) < 250_000


def test_no_table_behind_a_view_comes_near_the_size_cap(ask_owner: Ask) -> None:
    ((largest,),) = ask_owner(
        "SELECT max(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'analytics'::regnamespace"
    )
    assert largest < 536_870_912 // 4


def _most_rows(plan: dict[str, Any]) -> int:
    return max([int(plan["Plan Rows"]), *(_most_rows(part) for part in plan.get("Plans", []))])
