"""Asks the person, waits, and reads the message again with the answer."""

from typing import Any

from langgraph.types import interrupt

from agent.deps import Deps
from agent.reading import read_message
from agent.state import RunState, decode_outcome
from agent.values.outcome import Clarification


async def clarify(state: RunState, deps: Deps) -> RunState:
    """Interrupts with the clarification; the resume value is `{"value": …}`, an option's value or free text."""
    reply: dict[str, Any] = interrupt(state["outcome"])
    asked = decode_outcome(state["outcome"])
    assert isinstance(asked, Clarification)
    pinned = [*state.get("pinned", []), [asked.slot, str(reply["value"])]]
    answered: RunState = {"pinned": pinned, "rounds": asked.round}
    return {**answered, **await read_message({**state, **answered}, deps)}
