"""The floor of a turn: a graph of as many steps that do nothing, on the same database, and the bare query."""

from collections.abc import Awaitable, Callable
from itertools import count, pairwise
from typing import Any, TypedDict

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from psycopg_pool import AsyncConnectionPool

from tests.bench.measuring import milliseconds

BEFORE = ("restore", "understand", "plan")
INNER = (
    "route", "schema_linker", "sql_generator", "sql_validator", "cost_estimator", "hitl_checker", "await_decision",
    "sql_executor", "result_verifier", "data_analyst", "visualizer", "report_writer", "response_formatter",
)  # fmt: skip
AFTER = ("present",)
"""The steps that a compiled question takes through the product's own graphs, in order."""


class BareState(TypedDict, total=False):
    """Next to nothing is carried."""

    run: str
    step: str
    rows: int


Query = Callable[[], Awaitable[int]]


class BareTurns:
    """Turns through the bare graph. `ask` runs to the interrupt, `approve` from there to the end."""

    def __init__(self, checkpointer: AsyncPostgresSaver, pool: AsyncConnectionPool[Any], sql: str) -> None:
        self._checkpointer = checkpointer
        self._graph = _outer(_query(pool, sql), checkpointer)
        self._numbers = count()
        self._run = ""

    async def ask(self) -> float:
        """Milliseconds from a start to the interrupt."""
        self._run = f"bare-{next(self._numbers)}"
        return await milliseconds(self._graph.ainvoke({"run": self._run}, self._config))

    async def approve(self) -> float:
        """Milliseconds from the resume to the end; the checkpoints are dropped afterwards, as the product does."""

        async def resumed() -> None:
            await self._graph.ainvoke(Command(resume="approve"), self._config)
            await self._checkpointer.adelete_thread(self._run)

        return await milliseconds(resumed())

    @property
    def _config(self) -> dict[str, Any]:
        return {"configurable": {"thread_id": self._run}}


def _outer(query: Query, checkpointer: AsyncPostgresSaver) -> Any:
    return _line({**_steps(BEFORE), "execute": _line(_inner(query), None), **_steps(AFTER)}, checkpointer)


def _inner(query: Query) -> dict[str, Any]:
    async def sql_executor(_: BareState) -> BareState:
        return {"rows": await query()}

    async def await_decision(_: BareState) -> BareState:
        return {"step": interrupt("proposal")}

    return {**_steps(INNER), "await_decision": await_decision, "sql_executor": sql_executor}


def _steps(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: _step(name) for name in names}


def _step(name: str) -> Any:
    async def step(_: BareState) -> BareState:
        return {"step": name}

    return step


def _line(nodes: dict[str, Any], checkpointer: AsyncPostgresSaver | None) -> Any:
    graph = StateGraph(BareState)
    for name, node in nodes.items():
        graph.add_node(name, node)
    for one, following in pairwise((START, *nodes, END)):
        graph.add_edge(one, following)
    return graph.compile(checkpointer=checkpointer)


def _query(pool: AsyncConnectionPool[Any], sql: str) -> Query:
    async def run() -> int:
        async with pool.connection() as connection:
            cursor = await connection.execute(sql.encode())
            return len(await cursor.fetchall())

    return run
