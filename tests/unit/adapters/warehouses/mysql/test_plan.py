from typing import Any

import pytest

from adapters.warehouses.mysql.plan import read_plan

Block = dict[str, Any]


def mariadb_table(name: str, rows: int, access: str = "ALL", filtered: float = 100, **facts: object) -> Block:
    return {"table": {"table_name": name, "access_type": access, "rows": rows, "filtered": filtered, **facts}}


def mysql_table(name: str, rows: int, access: str = "ALL", filtered: str = "100.00", **facts: object) -> Block:
    counts = {"rows_examined_per_scan": rows, "rows_produced_per_join": rows, "filtered": filtered}
    return {"table": {"table_name": name, "access_type": access, **counts, **facts}}


def block(number: int = 1, **facts: object) -> Block:
    return {"query_block": {"select_id": number, **facts}}


def test_rows_of_a_join_multiply_and_filters_thin_them_out() -> None:
    joined = [mariadb_table("a", 1000, filtered=10), mariadb_table("b", 50)]
    plan = read_plan(block(nested_loop=joined))
    assert (plan.root_rows, plan.max_node_rows) == (5000, 5000)
    assert plan.full_scans == ("a", "b")


def test_a_table_read_by_its_key_is_no_full_scan_but_a_whole_index_is() -> None:
    joined = [mariadb_table("a", 10, "index"), mariadb_table("b", 1, "eq_ref"), mariadb_table("c", 5, "range")]
    assert read_plan(block(nested_loop=joined)).full_scans == ("a",)


def test_mariadb_without_costs_counts_the_rows_it_looks_at() -> None:
    wrapped: Block = {"filesort": {"temporary_table": {"nested_loop": [mariadb_table("sales", 2000)]}}}
    plan = read_plan(block(**wrapped))
    assert (plan.cost, plan.root_rows, plan.full_scans) == (400, 2000, ("sales",))


def test_mariadb_eleven_tells_its_cost() -> None:
    assert read_plan(block(cost=0.3217, nested_loop=[mariadb_table("sales", 2000)])).cost == 0.3217


def test_mysql_tells_its_cost_and_the_steps_around_its_tables_do_not_matter() -> None:
    grouping = {"using_temporary_table": True, "nested_loop": [mysql_table("sales", 300_000, filtered="33.33")]}
    document = block(
        cost_info={"query_cost": "30426.25"},
        ordering_operation={"using_filesort": True, "grouping_operation": grouping},
    )
    plan = read_plan(document)
    assert plan.cost == 30426.25
    assert (plan.root_rows, plan.max_node_rows) == (99_990, 300_000)


def test_a_derived_table_is_no_full_scan_and_its_own_block_counts() -> None:
    inner = block(2, cost_info={"query_cost": "200.0"}, table=mysql_table("sales", 2000)["table"])
    outer = mysql_table("part", 2, materialized_from_subquery={"using_temporary_table": True, **inner})
    plan = read_plan(block(cost_info={"query_cost": "2.5"}, table=outer["table"]))
    assert plan.cost == 202.5
    assert (plan.root_rows, plan.max_node_rows, plan.full_scans) == (2, 2000, ("sales",))


def test_mariadb_names_derived_tables_by_number() -> None:
    inner = block(2, nested_loop=[mariadb_table("sales", 2000)])
    plan = read_plan(block(nested_loop=[mariadb_table("<derived2>", 2000, materialized=inner)]))
    assert plan.full_scans == ("sales",)


@pytest.mark.parametrize("combination", ["union_result", "intersect_result", "except_result"])
def test_queries_that_are_combined_have_the_rows_of_all_of_them(combination: str) -> None:
    arms = [block(1, nested_loop=[mariadb_table("a", 10)]), block(2, table={"message": "No tables used"})]
    combined: Block = {combination: {"table_name": "<union1,2>", "query_specifications": arms}}
    plan = read_plan(block(**combined))
    assert (plan.root_rows, plan.max_node_rows) == (11, 10)


@pytest.mark.parametrize("dependent", [True, False])
def test_a_subquery_that_depends_on_its_row_runs_once_for_each(dependent: bool) -> None:
    subquery = {"dependent": dependent, **block(2, cost_info={"query_cost": "7"}, table=mysql_table("b", 30)["table"])}
    document = block(
        cost_info={"query_cost": "100"}, table=mysql_table("a", 1000)["table"], attached_subqueries=[subquery]
    )
    plan = read_plan(document)
    assert plan.max_node_rows == (30_000 if dependent else 1000)
    assert plan.cost == (7100 if dependent else 107)


def test_mariadb_caches_what_runs_once_a_row() -> None:
    subquery = {"expression_cache": {"state": "uninitialized", **block(2, nested_loop=[mariadb_table("b", 30)])}}
    plan = read_plan(block(nested_loop=[mariadb_table("a", 1000)], subqueries=[subquery]))
    assert plan.max_node_rows == 30_000


def test_a_statement_without_tables_is_one_row() -> None:
    plan = read_plan(block(table={"message": "No tables used"}))
    assert (plan.root_rows, plan.max_node_rows, plan.full_scans) == (1, 1, ())
    assert plan.cost == pytest.approx(0.2)
