"""The product's two graphs as sets of edges, and the same read from a drawing."""

import re
from typing import Any, cast

from agent.conversation import create_conversation
from agent.deps import Deps
from agent.sql_pipeline import create_sql_pipeline

Edge = tuple[str, str]
_ENDS = {"__start__": "start", "__end__": "stop"}


def conversation_edges() -> set[Edge]:
    """Edges of the outer graph; its ends are `start` and `stop`."""
    return _edges(create_conversation(_no_ports(), None))


def pipeline_edges() -> set[Edge]:
    """Edges of the inner graph; its ends are `start` and `stop`."""
    return _edges(create_sql_pipeline(_no_ports()))


def drawn_edges(document: str, title: str) -> set[Edge]:
    """Edges of the mermaid drawing under the heading `title`."""
    section = document.partition(f"## {title}\n")[2]
    drawing = section.partition("```mermaid\n")[2].partition("```")[0]
    return set(re.findall(r"^\s*(\w+)(?:\(\[.*?\]\))? -{1,2}\.?-?> (\w+)", drawing, flags=re.MULTILINE))


def nodes(edges: set[Edge]) -> set[str]:
    """What the edges connect, without the ends."""
    return {name for edge in edges for name in edge} - {"start", "stop"}


def _edges(graph: Any) -> set[Edge]:
    return {(_ENDS.get(e.source, e.source), _ENDS.get(e.target, e.target)) for e in graph.get_graph().edges}


def _no_ports() -> Deps:
    """Drawing a graph runs none of its steps."""
    return cast("Deps", object())
