"""The inner graph, wiring only: from a spec to a countersigned, checked and described result."""

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.deps import Deps
from agent.nodes.await_decision import await_decision
from agent.nodes.cost_estimator import cost_estimator
from agent.nodes.data_analyst import data_analyst
from agent.nodes.error_handler import error_handler
from agent.nodes.feedback_applier import feedback_applier
from agent.nodes.feedback_compliance import feedback_compliance
from agent.nodes.feedback_interpreter import feedback_interpreter
from agent.nodes.follow_up_restore import follow_up_restore
from agent.nodes.hitl_checker import hitl_checker
from agent.nodes.report_writer import report_writer
from agent.nodes.response_formatter import response_formatter
from agent.nodes.result_verifier import result_verifier
from agent.nodes.route import route
from agent.nodes.schema_linker import schema_linker
from agent.nodes.sql_executor import sql_executor
from agent.nodes.sql_generator import sql_generator
from agent.nodes.sql_validator import sql_validator
from agent.nodes.visualizer import visualizer
from agent.state import RunState
from agent.steps import bind

NODES = (
    route, schema_linker, sql_generator, sql_validator, error_handler, cost_estimator, hitl_checker, await_decision,
    feedback_interpreter, feedback_applier, feedback_compliance, sql_executor, result_verifier, data_analyst,
    visualizer, report_writer, response_formatter, follow_up_restore,
)  # fmt: skip


def create_sql_pipeline(deps: Deps) -> Any:
    """The compiled subgraph; its interrupt pauses the graph that holds it."""
    graph = StateGraph(RunState)
    for node in NODES:
        graph.add_node(node.__name__, bind(node, deps))
    graph.add_edge(START, "route")
    graph.add_conditional_edges("route", _after_route, ["schema_linker", "follow_up_restore"])
    graph.add_conditional_edges("schema_linker", _unless_ended("sql_generator"), ["sql_generator", END])
    graph.add_edge("sql_generator", "sql_validator")
    graph.add_conditional_edges("sql_validator", _after_validation, ["error_handler", "cost_estimator"])
    graph.add_conditional_edges("error_handler", _unless_ended("sql_generator"), ["sql_generator", END])
    graph.add_edge("cost_estimator", "hitl_checker")
    graph.add_conditional_edges("hitl_checker", _after_check, ["await_decision", "sql_executor", END])
    graph.add_conditional_edges(
        "await_decision", _after_decision, ["sql_executor", "feedback_interpreter", "response_formatter"]
    )
    graph.add_edge("feedback_interpreter", "feedback_applier")
    graph.add_conditional_edges("feedback_applier", _unless_ended("feedback_compliance"), ["feedback_compliance", END])
    graph.add_edge("feedback_compliance", "sql_validator")
    graph.add_conditional_edges("sql_executor", _unless_ended("result_verifier"), ["result_verifier", END])
    graph.add_edge("follow_up_restore", "data_analyst")
    graph.add_conditional_edges("result_verifier", _after_verification, ["data_analyst", "response_formatter"])
    graph.add_edge("data_analyst", "visualizer")
    graph.add_edge("visualizer", "report_writer")
    graph.add_edge("report_writer", "response_formatter")
    graph.add_edge("response_formatter", END)
    return graph.compile()


async def _after_route(state: RunState) -> str:
    return "follow_up_restore" if state["path"] == "follow_up" else "schema_linker"


async def _after_validation(state: RunState) -> str:
    return "error_handler" if state["findings"] else "cost_estimator"


async def _after_check(state: RunState) -> str:
    if state.get("outcome"):
        return END
    return "sql_executor" if state.get("signature") else "await_decision"


async def _after_decision(state: RunState) -> str:
    match state["decision"]["kind"]:
        case "approve":
            return "sql_executor"
        case "change":
            return "feedback_interpreter"
        case _:
            return "response_formatter"


async def _after_verification(state: RunState) -> str:
    answered = state["verification"]["status"] != "failed" and state["result"]["row_count"] > 0
    return "data_analyst" if answered else "response_formatter"


def _unless_ended(following: str) -> Any:
    async def choose(state: RunState) -> str:
        return END if state.get("outcome") else following

    return choose
