from functools import cache
from typing import Any

import pytest

from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.sql.sensitivity import sensitive_metrics_of
from agent.values.governance import CheckedQuery, Origin
from agent.values.identity import Principal, PrincipalId
from agent.values.spec import MemberFilter
from semantic_catalog.dialects import with_dialect
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, DimensionName, DomainName
from tests.unit.agent.sql.test_restrictions import TODAY, _finance, _spec

FINANCE = DomainName("erp_finance")
GROUP = DimensionName("account_group")
LABOUR = "COSTOS MANO DE OBRA"
JOINED = "FROM fin_actuals AS a JOIN trm_accounts AS t ON a.account = t.account"
IN_MAY = "a.period = '2026-05'"


@cache
def catalog() -> Catalog:
    return with_dialect(load_catalog(), FINANCE, "mysql")


def shown(sql: str, origin: Origin = "edited", *restrictions: str) -> tuple[str, ...]:
    principal = Principal(id=PrincipalId("ana"), roles=(), domains=(FINANCE,), restrictions=restrictions)
    scope = scope_for(catalog().domain(FINANCE), principal, catalog().version)
    checked = check_query(sql, scope, origin, TODAY)
    assert isinstance(checked, CheckedQuery), checked
    return checked.sensitive_metrics


def asked(*metrics: str, **fields: Any) -> tuple[str, ...]:
    return sensitive_metrics_of(_spec("erp_finance", metrics=metrics, **fields), _finance())


def group(value: str, *, include: bool) -> MemberFilter:
    return MemberFilter(dimension=GROUP, values=(value,), include=include)


def test_a_metric_is_sensitive_where_the_catalog_says_so_and_a_sum_of_many_things_is_not() -> None:
    assert asked("labor_cost") == ("labor_cost",)
    assert asked("revenue", "labor_cost_budget") == ("labor_cost_budget",)
    assert asked("ebitda", "gross_margin") == ()


@pytest.mark.parametrize(
    ("fields", "sensitive"),
    [
        ({"dimensions": (GROUP,)}, True),
        ({"filters": (group(LABOUR, include=True),)}, True),
        ({"dimensions": (GROUP,), "filters": (group(LABOUR, include=False),)}, False),
    ],
)
def test_an_amount_by_account_group_shows_what_is_sensitive_unless_it_is_left_out(
    fields: dict[str, Any], sensitive: bool
) -> None:
    assert asked("actual_amount", **fields) == (("actual_amount",) if sensitive else ())


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND t.statement_line = 'Labour Costs'",
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND t.statement_line IN ('Revenue', 'labour costs ')",
        f"SELECT t.account_name, SUM(a.amount) {JOINED} WHERE {IN_MAY} GROUP BY t.account_name",
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND NOT t.statement_line = 'Revenue'",
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND (t.statement_line = 'Revenue' OR t.sign = 1)",
        f"SELECT s FROM (SELECT SUM(a.amount) AS s, t.statement_line AS l {JOINED} WHERE {IN_MAY} "
        "GROUP BY t.statement_line) AS b WHERE l = 'Revenue'",
    ],
)
def test_written_sql_that_may_read_what_is_sensitive_counts_as_sensitive(sql: str) -> None:
    assert shown(sql) == ("labor_cost",)
    assert shown(sql, "model") == ("labor_cost",)


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND t.statement_line = 'Revenue'",
        f"SELECT SUM(a.amount) {JOINED} WHERE {IN_MAY} AND t.statement_line IN ('Revenue', 'Cost of Sales')",
        "SELECT account_name FROM trm_accounts",
    ],
)
def test_written_sql_that_names_other_lines_or_reads_no_amount_does_not(sql: str) -> None:
    assert shown(sql) == ()


def test_from_whom_rows_are_hidden_they_show_nothing_sensitive() -> None:
    sql = f"SELECT t.account_name, SUM(a.amount) {JOINED} WHERE {IN_MAY} GROUP BY t.account_name"
    assert shown(sql, "edited", "labor_cost_restricted") == ()
