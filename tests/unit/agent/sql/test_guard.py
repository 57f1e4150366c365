from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.sql.dialects import dialect_of
from agent.sql.guard import check_query
from agent.values.governance import CheckedQuery, Refused
from semantic_catalog.model import Dialect
from tests.unit.agent.sql.shop import DIALECTS, JANUARY, TODAY, Case, cases, decide, one_line, rules, shop, with_limit

PIECES = [
    *"()[]{},;.*+-/<>=!|&^~@#$%?:'\"`\\",
    *("SELECT", "FROM", "WHERE", "CASE", "WHEN", "END", "WITH", "RECURSIVE", "AS", "UNION ALL", "JOIN", "ON", "NOT"),
    *(
        "CAST(",
        "ARRAY[",
        "INTERVAL",
        "DATE",
        "::",
        "->",
        "orders",
        "customers",
        "email",
        "name",
        "1",
        "'x'",
        "--",
        "/*",
    ),
]


@pytest.mark.parametrize("case", cases("attacks.jsonl"), ids=lambda case: case.name)
def test_no_attack_comes_through(case: Case) -> None:
    answer = decide(case.sql, case.dialect, "model")
    if isinstance(answer, CheckedQuery):
        assert case.safe_if_rewritten
        assert answer.filtered or answer.limit_added


@pytest.mark.parametrize("case", cases("neighbours.jsonl"), ids=lambda case: f"{case.name}, {case.dialect}")
def test_every_honest_neighbour_passes(case: Case) -> None:
    assert rules(decide(case.sql, case.dialect, "model")) == set()


@pytest.mark.parametrize("case", cases("neighbours.jsonl"), ids=lambda case: f"{case.name}, {case.dialect}")
def test_what_the_guard_writes_it_would_read_the_same_way(case: Case) -> None:
    first = decide(case.sql, case.dialect)
    assert isinstance(first, CheckedQuery)
    assert rules(check_query(first.sql, shop(case.dialect), "edited", TODAY)) == set()


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join) | st.text(max_size=200))
def test_any_text_is_answered(dialect: Dialect, text: str) -> None:
    answer = check_query(text, shop(dialect), "edited", TODAY)
    assert isinstance(answer, (CheckedQuery, Refused))


def test_a_fingerprint_changes_with_whatever_it_binds() -> None:
    scope = shop("postgres")
    sql = f"SELECT SUM(net_amount) FROM orders WHERE {JANUARY}"
    others = [
        check_query(sql.replace("SUM", "MAX"), scope, "edited", TODAY),
        check_query(sql + " LIMIT 3", scope, "edited", TODAY),
    ]
    first = check_query(sql, scope, "edited", TODAY)
    assert isinstance(first, CheckedQuery)
    assert all(isinstance(other, CheckedQuery) and other.fingerprint != first.fingerprint for other in others)


def test_a_tree_is_checked_like_its_text_and_left_alone() -> None:
    tree = dialect_of("postgres").parse("SELECT name FROM customers")[0]
    assert tree is not None
    before = tree.sql()
    assert one_line(check_query(tree, shop("postgres"), "compiled", TODAY)) == one_line(
        decide("SELECT name FROM customers")
    )
    assert tree.sql() == before


def test_a_row_rule_that_is_no_sql_lets_nothing_run() -> None:
    scope = shop("postgres")
    broken = replace(scope, sources=tuple(replace(source, row_filter="region = = 'EU'") for source in scope.sources))
    assert rules(check_query("SELECT name FROM customers", broken, "edited", TODAY)) == {"row_rule"}


def test_comments_do_not_reach_the_warehouse() -> None:
    assert "secret" not in one_line(decide("SELECT name /* secret */ FROM customers -- secret"))


def test_the_sources_read_are_named_once_in_order() -> None:
    answer = decide("SELECT a.name FROM customers a JOIN customers b ON a.customer_id = b.customer_id")
    assert isinstance(answer, CheckedQuery)
    assert answer.sources == ("customers",)


def test_the_row_limit_is_set_where_there_is_none_and_capped_where_it_is_larger() -> None:
    scope = with_limit(shop("postgres"), 11)
    for sql, expected in (
        ("SELECT name FROM products", "LIMIT 11"),
        ("SELECT name FROM products LIMIT 5", "LIMIT 5"),
        ("SELECT name FROM products LIMIT 500", "LIMIT 11"),
        ("SELECT name FROM products FETCH FIRST 500 ROWS ONLY", "LIMIT 11"),
        ("(SELECT name FROM products LIMIT 3) UNION ALL (SELECT name FROM products)", "LIMIT 11"),
    ):
        assert one_line(check_query(sql, scope, "edited", TODAY)).endswith(expected)


def test_a_single_row_needs_no_limit() -> None:
    assert "LIMIT" not in one_line(decide("SELECT COUNT(*) FROM products"))
