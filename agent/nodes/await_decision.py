"""Waits for a person's decision on the proposal."""

from langgraph.types import interrupt

from agent.deps import Deps
from agent.state import RunState


async def await_decision(state: RunState, deps: Deps) -> RunState:
    """Interrupts with the proposal; the resume value is an encoded `Decision` that the runner has recorded."""
    return {"decision": interrupt(state["proposal"])}
