"""How a step becomes a graph's node: the same function, with its ports bound."""

from collections.abc import Awaitable, Callable
from typing import Any

from agent.deps import Deps
from agent.state import RunState

Step = Callable[[RunState, Deps], Awaitable[RunState]]


def bind(step: Step, deps: Deps) -> Any:
    """`step` with its ports, as a coroutine function of the state alone; langgraph's own type for it is private."""

    async def node(state: RunState) -> RunState:
        with deps.measures.step(step.__name__):
            return await step(state, deps)

    return node
