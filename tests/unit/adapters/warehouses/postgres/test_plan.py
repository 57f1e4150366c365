from typing import Any

from adapters.warehouses.postgres.plan import read_plan


def _node(kind: str, rows: int, *plans: dict[str, Any], **facts: object) -> dict[str, Any]:
    return {"Node Type": kind, "Plan Rows": rows, "Total Cost": 10.5, "Plans": list(plans), **facts}


def _scan(table: str, rows: int, kind: str = "Seq Scan", **facts: object) -> dict[str, Any]:
    return _node(kind, rows, **{"Relation Name": table, "Schema": "operational", **facts})


def _outer(node: dict[str, Any]) -> dict[str, Any]:
    return {**node, "Parent Relationship": "Outer"}


def test_the_root_gives_cost_and_rows_and_the_widest_node_its_rows() -> None:
    plan = read_plan([{"Plan": _node("Aggregate", 4, _outer(_scan("payments", 300_000)))}])
    assert (plan.cost, plan.root_rows, plan.max_node_rows) == (10.5, 4, 300_000)


def test_every_relation_is_named_once_and_only_whole_reads_are_full_scans() -> None:
    hash_join = _node(
        "Hash Join", 5, _outer(_scan("payments", 5)), _scan("payments", 5), _scan("merchants", 1, "Index Scan")
    )
    plan = read_plan([{"Plan": hash_join}])
    assert plan.relations == (("operational", "merchants"), ("operational", "payments"))
    assert plan.full_scans == (("operational", "payments"),)


def test_a_plan_that_reads_no_table_has_no_relation() -> None:
    plan = read_plan([{"Plan": _node("Result", 1)}])
    assert (plan.relations, plan.full_scans) == ((), ())


def test_rows_that_workers_share_count_for_all_workers() -> None:
    scan = _outer(_scan("payments", 125_000, "Seq Scan", **{"Parallel Aware": True}))
    partial = _outer(_node("Aggregate", 4, scan))
    gather = _outer(_node("Gather", 8, partial, **{"Workers Planned": 2}))
    plan = read_plan([{"Plan": _node("Aggregate", 4, gather)}])
    assert plan.max_node_rows == 300_000


def test_rows_that_each_worker_reads_whole_count_once() -> None:
    inner = {**_scan("merchants", 200), "Parent Relationship": "Inner"}
    join = _outer(_node("Hash Join", 10, _outer(_scan("payments", 10, "Seq Scan", **{"Parallel Aware": True})), inner))
    plan = read_plan([{"Plan": _node("Gather", 20, join, **{"Workers Planned": 4})}])
    assert plan.max_node_rows == 200
