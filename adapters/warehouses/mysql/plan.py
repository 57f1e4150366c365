"""What the optimiser expects of a statement, read from EXPLAIN FORMAT=JSON of MySQL 8, MariaDB 10 and MariaDB 11.

All three write query blocks that hold joined tables and further blocks; they differ in the steps they wrap around
both, in the names of the row counts, and in whether they tell a cost.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# What MariaDB counts for a row that it looks at, where it does not tell the cost itself.
_ROW_COST = 0.2
# Keys whose blocks run once a row of the block around them: MySQL says `dependent`, MariaDB caches only such blocks.
_PER_ROW = "expression_cache"

Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The optimiser's numbers. `full_scans` are the tables read whole, by the statement's own names, sorted.

    Rows are counted before grouping, which neither engine estimates. `cost` is in the engine's own unit.
    """

    cost: float
    root_rows: int
    max_node_rows: int
    full_scans: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One table of a join, or a block that ends in one row: rows looked at, rows left, both over the whole join."""

    examined: float
    left: float
    scanned: str = ""


def read_plan(document: Node) -> Plan:
    """The plan of one statement, as EXPLAIN wrote it."""
    root = document["query_block"]
    blocks = tuple(_blocks(root, times=1))
    steps = tuple(step for block, times in blocks for step in _steps(block, times))
    return Plan(
        cost=sum(_told_cost(block) * times for block, times in blocks) or _ROW_COST * sum(s.examined for s in steps),
        root_rows=round(_rows(root)),
        max_node_rows=round(max(max(step.examined, step.left) for step in steps)),
        full_scans=tuple(sorted({step.scanned for step in steps if step.scanned})),
    )


def _blocks(block: Node, times: float) -> Iterator[tuple[Node, float]]:
    """The block and every block in it, each with how often it runs."""
    yield block, times
    for inner, per_row in _inner_blocks(block, per_row=False):
        yield from _blocks(inner, times * (max(1.0, _rows(block)) if per_row else 1))


def _inner_blocks(node: Any, *, per_row: bool) -> Iterator[tuple[Node, bool]]:
    """Blocks right below the node, with whether they run for each of its rows."""
    if isinstance(node, list):
        for item in node:
            yield from _inner_blocks(item, per_row=per_row)
    if isinstance(node, dict):
        depends = per_row or bool(node.get("dependent"))
        for key, value in node.items():
            if key == "query_block":
                yield value, depends
            else:
                yield from _inner_blocks(value, per_row=depends or key == _PER_ROW)


def _rows(block: Node) -> float:
    """Rows that come out of the block, before grouping."""
    if arms := _arms(block):
        return sum(_rows(arm.get("query_block", arm)) for arm in arms)
    return _steps(block, times=1)[-1].left


def _arms(block: Node) -> list[Node]:
    """The arms of a union, or of whatever else combines queries; none for a plain query."""
    return [arm for part in block.values() if isinstance(part, dict) for arm in part.get("query_specifications", ())]


def _steps(block: Node, times: float) -> list[_Step]:
    """The block's own tables in join order; one row where it reads none."""
    rows, steps = times, []
    for table in () if _arms(block) else _tables(block):
        examined = rows * _scanned_rows(table)
        rows = examined * float(table.get("filtered", 100)) / 100
        steps.append(_Step(examined=examined, left=rows, scanned=_whole(table)))
    return steps or [_Step(examined=times, left=times)]


def _tables(node: Any) -> Iterator[Node]:
    """The tables of one block, through whatever steps are wrapped around them, in order."""
    if isinstance(node, list):
        for item in node:
            yield from _tables(item)
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "table" and isinstance(value, dict):
                yield value
            elif key != "query_block":
                yield from _tables(value)


def _scanned_rows(table: Node) -> float:
    return float(table.get("rows_examined_per_scan", table.get("rows", 1)))


def _whole(table: Node) -> str:
    """The table's name where all of it is read; empty for others and for results of inner blocks."""
    name = str(table.get("table_name", ""))
    derived = name.startswith("<") or "materialized" in table or "materialized_from_subquery" in table
    return name if table.get("access_type") in ("ALL", "index") and not derived else ""


def _told_cost(block: Node) -> float:
    """MySQL tells it in `cost_info`, MariaDB since version 11 in `cost`."""
    return float(block.get("cost_info", {}).get("query_cost", block.get("cost", 0)))
