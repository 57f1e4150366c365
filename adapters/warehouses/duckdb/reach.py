"""What a statement reaches, as DuckDB's own parser reads it: the wall that accounts are on other engines."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from duckdb import DuckDBPyConnection

from adapters.warehouses.duckdb.database import Relation
from agent.errors import QueryFailed

# Table functions that make rows out of their arguments alone.
_FUNCTIONS = frozenset({"range", "generate_series", "unnest"})
_DEFAULT_SCHEMA = "main"


def refuse_beyond(cursor: DuckDBPyConnection, statement: str, relations: frozenset[Relation]) -> None:
    """Raise QueryFailed unless the text is one SELECT that reads only these relations. Blocks; runs nothing."""
    ((text,),) = cursor.execute("SELECT json_serialize_sql(?)", [statement]).fetchall()
    document = json.loads(text)
    if document["error"]:
        raise QueryFailed("not a SELECT the engine can read")
    if len(document["statements"]) != 1:
        raise QueryFailed("more than one statement")
    ((database,),) = cursor.execute("SELECT current_database()").fetchall()
    if any(not _is_open(item, str(database), relations) for item in _reached(document["statements"][0], frozenset())):
        raise QueryFailed("reads beyond the governed sources")


def _is_open(item: Mapping[str, Any], database: str, relations: frozenset[Relation]) -> bool:
    if item["type"] == "TABLE_FUNCTION":
        function = item["function"]
        return not function.get("schema") and str(function.get("function_name")).lower() in _FUNCTIONS
    if item["type"] != "BASE_TABLE" or str(item["catalog_name"]).lower() not in ("", database.lower()):
        return False
    return (str(item["schema_name"] or _DEFAULT_SCHEMA).lower(), str(item["table_name"]).lower()) in relations


def _reached(node: Any, names: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    """Whatever the node reads rows from; `names` are the common tables in force, in lower case."""
    if isinstance(node, list):
        for item in node:
            yield from _reached(item, names)
    if isinstance(node, dict):
        for entry in node.get("cte_map", {}).get("map", ()):
            yield from _reached(entry["value"], names)
            names |= {entry["key"].lower()}
        if node.get("type") in ("BASE_TABLE", "TABLE_FUNCTION", "SHOW_REF") and not _is_common(node, names):
            yield node
        for key, value in node.items():
            if key != "cte_map":
                yield from _reached(value, names | _own_name(node, key))


def _own_name(node: Mapping[str, Any], key: str) -> frozenset[str]:
    """A recursive table's name, which means itself in its second part only."""
    recursive = node.get("type") == "RECURSIVE_CTE_NODE" and key == "right"
    return frozenset({str(node["cte_name"]).lower()}) if recursive else frozenset()


def _is_common(node: Mapping[str, Any], names: frozenset[str]) -> bool:
    plain = not node.get("schema_name") and not node.get("catalog_name")
    return node["type"] == "BASE_TABLE" and plain and str(node["table_name"]).lower() in names
