from typing import Any, TypedDict

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from adapters.control.postgres.checkpoints import create_checkpointer, drop_thread
from adapters.control.postgres.connections import Pool, create_pool


class State(TypedDict, total=False):
    question: str
    answer: str


def _ask(state: State) -> State:
    return {"answer": interrupt({"question": state["question"]})}


def _graph(pool: Pool) -> Any:
    graph = StateGraph(State)
    graph.add_node("ask", _ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=create_checkpointer(pool))


def _config(run: str) -> RunnableConfig:
    return {"configurable": {"thread_id": f"console:a/{run}"}}


def _kept(url: str) -> dict[str, int]:
    tables = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    with psycopg.connect(url) as connection:
        counts = {table: connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in tables}
    return {table: row[0] for table, row in counts.items() if row is not None}


async def test_a_run_that_waits_is_resumed_by_another_process(pool: Pool, relayed_url: str) -> None:
    waiting = await _graph(pool).ainvoke({"question": "run it?"}, _config("run-1"))
    assert waiting["__interrupt__"][0].value == {"question": "run it?"}
    other = create_pool(relayed_url)
    resumed = await _graph(other).ainvoke(Command(resume="yes"), _config("run-1"))
    await other.close()
    assert resumed == {"question": "run it?", "answer": "yes"}


async def test_a_finished_run_leaves_nothing_and_the_others_stay(pool: Pool, control_url: str) -> None:
    graph, checkpointer = _graph(pool), create_checkpointer(pool)
    await graph.ainvoke({"question": "first?"}, _config("run-1"))
    before = _kept(control_url)
    await graph.ainvoke({"question": "second?"}, _config("run-2"))
    await drop_thread(checkpointer, "console:a/run-2")
    assert _kept(control_url) == before
    assert before["checkpoints"] > 0
    await drop_thread(checkpointer, "console:a/run-1")
    assert _kept(control_url) == {"checkpoints": 0, "checkpoint_blobs": 0, "checkpoint_writes": 0}
    await drop_thread(checkpointer, "console:a/run-1")
