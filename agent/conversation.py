"""The outer graph, wiring only: from a message to an outcome."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from agent.deps import Deps
from agent.nodes.analyze_file import analyze_file
from agent.nodes.clarify import clarify
from agent.nodes.discuss_data import discuss_data
from agent.nodes.forecast import forecast
from agent.nodes.general_respond import general_respond
from agent.nodes.plan import plan
from agent.nodes.present import present
from agent.nodes.restore import restore
from agent.nodes.session_reference import session_reference
from agent.nodes.understand import understand
from agent.nodes.viz_change import viz_change
from agent.sql_pipeline import create_sql_pipeline
from agent.state import RunState
from agent.steps import bind

BRANCHES = (viz_change, forecast, analyze_file, discuss_data, session_reference, general_respond)
ASK_FIRST = ("forecast", "analyze_file")
"""Branches that may need rows of their own before they have an outcome."""

_BRANCH_OF_TURN_TYPE = {
    "viz_change": "viz_change",
    "forecast": "forecast",
    "file_analysis": "analyze_file",
    "discuss": "discuss_data",
    "general": "general_respond",
}


def create_conversation(deps: Deps, checkpointer: BaseCheckpointSaver[Any] | None) -> Any:
    """The compiled graph. `thread_id` of a run is `<ThreadKey>/<run>`."""
    graph = StateGraph(RunState)
    for node in (restore, understand, clarify, plan, present, *BRANCHES):
        graph.add_node(node.__name__, bind(node, deps))
    graph.add_node("execute", create_sql_pipeline(deps))
    names = [branch.__name__ for branch in BRANCHES]
    graph.add_edge(START, "restore")
    graph.add_edge("restore", "understand")
    for reading in ("understand", "clarify"):
        graph.add_conditional_edges(reading, _after_reading, ["clarify", "plan", "present", *names])
    graph.add_edge("plan", "execute")
    graph.add_conditional_edges("execute", _after_execution, [*ASK_FIRST, "present"])
    for branch in ASK_FIRST:
        graph.add_conditional_edges(branch, _after_asking_first, ["execute", "present"])
    for ending in (name for name in names if name not in ASK_FIRST):
        graph.add_edge(ending, "present")
    graph.add_edge("present", END)
    return graph.compile(checkpointer=checkpointer)


def resume_with(value: Any) -> Command[Any]:
    """What the graph is invoked with to answer its interrupt."""
    return Command(resume=value)


async def _after_execution(state: RunState) -> str:
    """What was asked for the sake of a forecast, or to be put beside a file, goes on to it once it is answered."""
    outcome, meaning = state.get("outcome"), state["understanding"]
    if outcome is None or outcome["kind"] != "Answer":
        return "present"
    if meaning["turn_type"] == "forecast":
        return "forecast"
    spec = state.get("spec")
    is_first = meaning.get("beside") and spec and spec["domain"] == meaning["spec"]["domain"]
    return "analyze_file" if is_first else "present"


async def _after_asking_first(state: RunState) -> str:
    return "present" if state.get("outcome") else "execute"


async def _after_reading(state: RunState) -> str:
    outcome, meaning = state.get("outcome"), state["understanding"]
    if outcome:
        return "clarify" if outcome["kind"] == "Clarification" else "present"
    if meaning["relation"] == "session_reference":
        return "session_reference"
    return _BRANCH_OF_TURN_TYPE.get(meaning["turn_type"], "plan")
