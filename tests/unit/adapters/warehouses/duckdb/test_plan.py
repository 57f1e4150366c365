from typing import Any

from adapters.warehouses.duckdb.plan import read_plan


def step(name: str, rows: int | None, *below: dict[str, Any], **facts: object) -> dict[str, Any]:
    told = {} if rows is None else {"Estimated Cardinality": str(rows)}
    return {"name": name, "children": list(below), "extra_info": {**facts, **told}}


def scan(table: str, rows: int, kind: str = "Sequential Scan") -> dict[str, Any]:
    return step("SEQ_SCAN", rows, Table=table, Type=kind)


def test_rows_of_every_step_are_summed_and_the_widest_is_known() -> None:
    plan = read_plan([step("HASH_GROUP_BY", 4, step("PROJECTION", 2000, scan("a.main.sales", 2000)))])
    assert (plan.passed_rows, plan.root_rows, plan.max_node_rows) == (4004, 4, 2000)


def test_a_root_that_tells_no_rows_has_those_below_it() -> None:
    assert read_plan([step("TOP_N", None, step("PROJECTION", 12))]).root_rows == 12


def test_tables_are_named_once_and_only_whole_reads_are_full_scans() -> None:
    join = step("HASH_JOIN", 5, scan("a.main.sales", 9), scan("a.main.sales", 9), scan("a.main.items", 1, "Index Scan"))
    plan = read_plan([join])
    assert plan.scans == ("a.main.items", "a.main.sales")
    assert plan.full_scans == ("a.main.sales",)


def test_a_plan_that_tells_nothing_is_one_row() -> None:
    plan = read_plan([step("DUMMY_SCAN", None)])
    assert (plan.passed_rows, plan.root_rows, plan.max_node_rows, plan.scans) == (1, 1, 1, ())
