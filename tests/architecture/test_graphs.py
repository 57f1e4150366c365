from tests.architecture.graphs import conversation_edges, drawn_edges, nodes, pipeline_edges
from tests.architecture.sources import ROOT

OUTER = {
    "restore", "understand", "clarify", "plan", "viz_change", "forecast", "analyze_file", "discuss_data",
    "session_reference", "general_respond", "execute", "present",
}  # fmt: skip
INNER = {
    "route", "schema_linker", "sql_generator", "sql_validator", "error_handler", "cost_estimator", "hitl_checker",
    "await_decision", "feedback_interpreter", "feedback_applier", "feedback_compliance", "sql_executor",
    "result_verifier", "data_analyst", "visualizer", "report_writer", "response_formatter", "follow_up_restore",
}  # fmt: skip


def test_the_graphs_have_the_nodes_of_the_design() -> None:
    assert nodes(conversation_edges()) == OUTER
    assert nodes(pipeline_edges()) == INNER


def test_no_query_is_run_but_from_a_decision_or_the_policy() -> None:
    assert {before for before, after in pipeline_edges() if after == "sql_executor"} == {
        "await_decision",
        "hitl_checker",
    }


def test_a_changed_query_is_checked_and_signed_again() -> None:
    inner = pipeline_edges()
    assert {after for before, after in inner if before == "feedback_compliance"} == {"sql_validator"}
    assert {after for before, after in inner if before == "sql_validator"} == {"error_handler", "cost_estimator"}
    assert {after for before, after in inner if before == "cost_estimator"} == {"hitl_checker"}


def test_the_documentation_draws_the_graphs_as_they_are() -> None:
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert drawn_edges(document, "The conversation graph") == conversation_edges()
    assert drawn_edges(document, "The SQL pipeline") == pipeline_edges()
