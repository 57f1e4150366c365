from dataclasses import replace
from datetime import date
from functools import cache

import pytest

from agent.policy.seeing import Shown, may_see
from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.values.governance import CheckedQuery
from agent.values.identity import Principal, PrincipalId, RowRule
from agent.values.spec import QuerySpec
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Domain, DomainName, EntityName, MetricName

TODAY = date(2026, 11, 1)
DAILY = "semantic.v_daily_payment_metrics"
PAYMENTS = DomainName("payments")
SQL = f"""
    SELECT channel, SUM(processed_amount) AS amount FROM {DAILY}
    WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY channel
"""
SPEC = QuerySpec(domain=PAYMENTS, metrics=(MetricName("processed_amount"),))
ANA = Principal(id=PrincipalId("ana"), roles=(), domains=(PAYMENTS,))


@cache
def payments() -> Domain:
    return load_catalog().domain(PAYMENTS)


def regions(*members: str, source: str = DAILY) -> RowRule:
    listed = ", ".join(f"'{member}'" for member in members)
    return RowRule(
        domain=PAYMENTS,
        source=source,
        predicate=f"region IN ({listed})",
        label=(),
        column="region",
        members=members,
    )


def written(predicate: str) -> RowRule:
    return RowRule(domain=PAYMENTS, source=DAILY, predicate=predicate, label=())


def shown_to(asker: Principal, spec: QuerySpec | None = SPEC) -> Shown:
    version = load_catalog().version
    query = check_query(SQL, scope_for(payments(), asker, version), origin="compiled", today=TODAY)
    assert isinstance(query, CheckedQuery), query
    return Shown(query=query, spec=spec, asker=asker, domain=payments(), version=version, today=TODAY)


def reader(**rights: object) -> Principal:
    return replace(ANA, id=PrincipalId("bob"), **rights)  # type: ignore[arg-type]  # fields of a principal


@pytest.mark.parametrize(
    ("asked", "read", "expected"),
    [
        ((), (), True),
        ((), (regions("Lima"),), False),
        ((regions("Lima"),), (), True),
        ((regions("Lima"),), (regions("Lima"),), True),
        ((regions("Lima"),), (regions("Lima", "Cusco"),), True),
        ((regions("Lima", "Cusco"),), (regions("Lima"),), False),
        ((regions("Lima"),), (regions("Cusco"),), False),
        ((written("mcc <> '5411'"),), (written("mcc <> '5411'"),), True),
        ((written("mcc <> '5411'"),), (written("mcc <> '5812'"),), False),
        ((), (regions("Lima", source="semantic.v_merchant_performance"),), True),
        ((regions("Lima"),), (regions("Lima"), written("mcc <> '5411'")), False),
    ],
)
def test_a_reader_sees_rows_that_no_rule_of_theirs_keeps_back(
    asked: tuple[RowRule, ...], read: tuple[RowRule, ...], expected: bool
) -> None:
    assert may_see(reader(row_rules=read), shown_to(replace(ANA, row_rules=asked))) is expected


@pytest.mark.parametrize(
    ("rights", "expected"),
    [
        ({}, True),
        ({"domains": ()}, False),
        ({"domains": (DomainName("scrap_prices"),)}, False),
        ({"entities": (EntityName("v_merchant_performance"),)}, False),
        ({"entities": (EntityName("v_daily_payment_metrics"),)}, True),
        ({"denied_columns": ((DAILY, "processed_amount"),)}, False),
        ({"denied_columns": ((DAILY, "mcc"),)}, True),
    ],
)
def test_a_reader_sees_what_they_might_have_asked(rights: dict[str, object], expected: bool) -> None:
    assert may_see(reader(**rights), shown_to(ANA)) is expected


def test_of_written_sql_a_restriction_that_the_asker_is_not_under_might_hide_part() -> None:
    restricted = reader(restrictions=("volume_restricted",))
    assert not may_see(restricted, shown_to(ANA, spec=None))
    assert may_see(restricted, shown_to(replace(ANA, restrictions=("volume_restricted",)), spec=None))
    assert may_see(restricted, shown_to(ANA)), "the question itself says that it needs nothing restricted"


def test_everybody_sees_what_they_asked_themselves() -> None:
    assert may_see(replace(ANA, domains=()), shown_to(ANA))
