"""What DuckDB's planner expects of a statement, read from EXPLAIN (FORMAT JSON)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The planner's numbers. `passed_rows` sums the rows of every step; `scans` are tables as `database.schema.table`.

    Each table is named once, sorted.
    """

    passed_rows: int
    root_rows: int
    max_node_rows: int
    scans: tuple[str, ...]
    full_scans: tuple[str, ...]


def read_plan(document: Sequence[Node]) -> Plan:
    """The plan of one statement, as EXPLAIN wrote it."""
    facts = [node.get("extra_info", {}) for root in document for node in _nodes(root)]
    rows = [int(fact["Estimated Cardinality"]) for fact in facts if "Estimated Cardinality" in fact] or [1]
    return Plan(
        passed_rows=sum(rows),
        # A step that only cuts or sorts tells no number of its own.
        root_rows=rows[0],
        max_node_rows=max(rows),
        scans=_tables(facts),
        full_scans=_tables(fact for fact in facts if fact.get("Type") == "Sequential Scan"),
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.get("children", ()):
        yield from _nodes(child)


def _tables(facts: Any) -> tuple[str, ...]:
    return tuple(sorted({str(fact["Table"]) for fact in facts if "Table" in fact}))
