"""What PostgreSQL's planner expects of a statement, read from EXPLAIN (FORMAT JSON, VERBOSE)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, LiteralString

Relation = tuple[str, str]

# pg_class and the size functions ask no privilege on the relation, so this works for tables behind a view that the
# role itself may not read.
RELATION_BYTES: LiteralString = """
    SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
    FROM unnest(%s::text[], %s::text[]) AS wanted (nspname, relname)
    JOIN pg_namespace n ON n.nspname = wanted.nspname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.relname
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The planner's numbers. `relations` are (schema, name) of everything read, behind views too; each once, sorted."""

    cost: float
    root_rows: int
    max_node_rows: int
    relations: tuple[Relation, ...]
    full_scans: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    kind: str
    rows: float
    relation: Relation | None


def read_plan(document: Any) -> Plan:
    """The plan of one statement, as EXPLAIN wrote it."""
    root = document[0]["Plan"]
    nodes = tuple(_nodes(root, workers=0))
    return Plan(
        cost=float(root["Total Cost"]),
        root_rows=round(float(root["Plan Rows"])),
        max_node_rows=round(max(node.rows for node in nodes)),
        relations=_sorted(node.relation for node in nodes),
        full_scans=_sorted(node.relation for node in nodes if node.kind == "Seq Scan"),
    )


def _sorted(relations: Iterator[Relation | None]) -> tuple[Relation, ...]:
    return tuple(sorted({relation for relation in relations if relation is not None}))


def _nodes(node: dict[str, Any], workers: int) -> Iterator[_Node]:
    """The node and all below it; `workers` share the rows of the partial nodes under a Gather."""
    workers = int(node.get("Workers Planned", workers))
    share = _sharers(workers) if _is_partial(node) else 1
    yield _Node(kind=node["Node Type"], rows=float(node["Plan Rows"]) * share, relation=_relation(node))
    for child in node.get("Plans", ()):
        yield from _nodes(child, workers)


def _is_partial(node: dict[str, Any]) -> bool:
    """Whether each worker sees only its share of the node's rows: so from a parallel scan up to its Gather."""
    if "Workers Planned" in node:
        return False
    outer = (child for child in node.get("Plans", ()) if child.get("Parent Relationship") == "Outer")
    return bool(node.get("Parallel Aware")) or any(_is_partial(child) for child in outer)


def _sharers(workers: int) -> float:
    """Among how many PostgreSQL divides a partial node's rows; the leader helps less the more workers there are."""
    return workers + max(0.0, 1 - 0.3 * workers)


def _relation(node: dict[str, Any]) -> Relation | None:
    name = node.get("Relation Name")
    return None if name is None else (node.get("Schema", ""), name)
