import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

PROGRAM = """
import asyncio, sys
from typing import TypedDict
from langchain_core.tracers.langchain import wait_for_all_tracers
from langgraph.graph import END, START, StateGraph
from bot.operating.metrics import Metrics
from bot.operating.watch import TurnWatch
from tests.fakes.clock import FrozenClock
from tests.unit.bot.operating.test_watch import TURN

class State(TypedDict):
    text: str

async def node(state):
    return {"text": state["text"]}

async def main():
    graph = StateGraph(State)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    watch = TurnWatch(metrics=Metrics(), clock=FrozenClock(), langsmith=sys.argv[1] == "allowed")
    with watch.handling(TURN):
        await graph.compile().ainvoke({"text": "zebrafish"})
    wait_for_all_tracers()

asyncio.run(main())
"""


class Received:
    """What came in at LangSmith's address."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[bytes] = []

    async def take(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.read())
        return web.json_response({})


@pytest.fixture
async def received() -> AsyncIterator[Received]:
    held = Received()
    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("*", "/{path:.*}", held.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    held.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield held
    await runner.cleanup()


async def run(allowed: str, url: str) -> None:
    environment = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": url,
        "LANGSMITH_API_KEY": "key",
        "LANGSMITH_RUNS_ENDPOINTS": "",
        "PYTHONPATH": ".",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, allowed, env=environment)
    assert await process.wait() == 0


async def test_no_environment_sends_a_run_to_langsmith(received: Received) -> None:
    await run("not allowed", received.url)
    assert received.bodies == []


async def test_the_setting_alone_lets_runs_go_to_langsmith(received: Received) -> None:
    await run("allowed", received.url)
    assert received.bodies != []
