from dataclasses import replace

import pytest

from agent.values.governance import CheckedQuery
from tests.unit.agent.sql.shop import JANUARY, decide, decide_in, ledger, one_line, rules, shop

EU = "WHERE region = 'EU'"

DEPTHS = {
    "a plain read": f"SELECT SUM(net_amount) FROM orders WHERE {JANUARY}",
    "a subquery in FROM": f"SELECT * FROM (SELECT net_amount FROM orders WHERE {JANUARY}) AS x",
    "a CTE": f"WITH x AS (SELECT net_amount FROM orders WHERE {JANUARY}) SELECT * FROM x",
    "a CTE of the same name": f"WITH orders AS (SELECT net_amount FROM orders WHERE {JANUARY}) SELECT * FROM orders",
    "an arm of a union": f"SELECT name FROM products UNION ALL SELECT status FROM orders WHERE {JANUARY}",
    "a scalar subquery": f"SELECT name, (SELECT SUM(net_amount) FROM orders WHERE {JANUARY}) AS s FROM products",
    "an EXISTS": f"SELECT name FROM products WHERE EXISTS (SELECT 1 FROM orders WHERE {JANUARY})",
    "an IN": f"SELECT name FROM products WHERE product_id IN (SELECT product_id FROM orders WHERE {JANUARY})",
    "a join": f"SELECT name FROM products JOIN orders ON orders.product_id = products.product_id AND {JANUARY}",
    "a joined pair in brackets": (
        f"SELECT name FROM (products JOIN orders ON orders.product_id = products.product_id) WHERE {JANUARY}"
    ),
    "a lateral one": f"SELECT name FROM products CROSS JOIN LATERAL (SELECT 1 FROM orders WHERE {JANUARY} LIMIT 1) z",
    "an ORDER BY": f"SELECT name FROM products ORDER BY (SELECT COUNT(*) FROM orders WHERE {JANUARY})",
}


@pytest.mark.parametrize("sql", DEPTHS.values(), ids=DEPTHS.keys())
def test_the_row_rule_stands_at_every_depth(sql: str) -> None:
    written = one_line(decide(sql))
    assert written.count("public.orders") == written.count(f"FROM public.orders {EU}") == 1


def test_each_mention_of_a_source_gets_its_own_rule() -> None:
    written = one_line(decide("SELECT a.name FROM customers a JOIN customers b ON a.customer_id = b.customer_id"))
    assert written.count(EU) == 2


def test_the_replaced_source_keeps_the_name_the_query_gave_it() -> None:
    assert ") AS c WHERE c.name" in one_line(decide("SELECT c.name FROM customers c WHERE c.name = 'x'"))
    assert ") AS customers WHERE" in one_line(decide("SELECT name FROM customers WHERE customers.name = 'x'"))


def test_columns_named_with_their_schema_still_find_the_source() -> None:
    written = one_line(decide("SELECT public.customers.name FROM public.customers"))
    assert written.startswith("SELECT customers.name FROM (")


def test_a_source_that_is_taken_whole_shows_only_its_governed_columns() -> None:
    written = one_line(decide(f"SELECT * FROM orders WHERE {JANUARY}"))
    columns = "order_id, order_date, customer_id, product_id, region, channel, status, quantity, net_amount, discount"
    assert f"SELECT {columns} FROM public.orders" in written


def test_a_name_that_only_the_select_list_knows_cannot_reach_a_hidden_column() -> None:
    written = one_line(decide("SELECT name AS internal_note FROM products WHERE internal_note = 'x'"))
    assert "FROM (SELECT product_id, name, category, list_price FROM public.products) AS products" in written.replace(
        "( ", "("
    ).replace(" )", ")")


def test_a_column_of_an_enclosing_query_is_written_with_its_name() -> None:
    sql = "SELECT name FROM products p WHERE EXISTS (SELECT 1 FROM customers c WHERE c.name = category)"
    assert "c.name = p.category" in one_line(decide(sql))


def test_what_could_fail_on_a_hidden_row_is_held_behind_the_row_rule() -> None:
    risky = f"SELECT COUNT(*) FROM orders WHERE {JANUARY} AND 1 / (net_amount - 5) > 0"
    assert f"{EU} OFFSET 0" in one_line(decide(risky))
    assert f"{EU} LIMIT 9223372036854775807" in one_line(decide(risky, "mysql"))
    assert f"{EU} LIMIT 9223372036854775807" in one_line(decide(risky, "duckdb"))


def test_what_is_computed_of_visible_rows_needs_no_fence() -> None:
    sql = f"SELECT channel, SUM(discount) / SUM(net_amount) FROM orders WHERE {JANUARY} GROUP BY channel"
    assert "OFFSET" not in one_line(decide(sql))


def test_a_risky_expression_inside_a_subquery_is_fenced_too() -> None:
    sql = f"SELECT COUNT(*) FROM (SELECT 1 / net_amount AS z FROM orders WHERE {JANUARY}) AS x WHERE z > 1"
    assert "OFFSET 0" in one_line(decide(sql))


def test_a_source_without_rules_is_only_named_in_full() -> None:
    scope = shop("postgres")
    open_sources = tuple(source for source in scope.sources if source.name == "products")
    bare = replace(scope, sources=(replace(open_sources[0], denied=()),))
    assert (
        one_line(decide_in(bare, "SELECT p.name FROM products p LIMIT 1"))
        == "SELECT p.name FROM public.products AS p LIMIT 1"
    )


def test_mysql_reads_the_table_that_the_catalog_spells() -> None:
    assert "FROM shop.customers" in one_line(decide("SELECT Customers.name FROM Customers", "mysql"))


def test_no_query_may_stand_in_for_a_table_that_a_row_rule_reads() -> None:
    sql = (
        "WITH accounts AS (SELECT 'x' AS account, 'y' AS kind) "
        "SELECT period FROM actuals WHERE period >= '2025-01' AND period <= '2025-03'"
    )
    assert rules(decide_in(ledger(), sql)) == {"unknown_construct"}


def test_the_rule_in_words_comes_with_the_query() -> None:
    answer = decide("SELECT name FROM customers")
    assert isinstance(answer, CheckedQuery)
    assert answer.filtered
