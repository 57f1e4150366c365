"""First step of a run: what the thread remembers."""

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState
from agent.values.identity import ThreadKey


async def restore(state: RunState, deps: Deps) -> RunState:
    """The thread's memory, and nothing pinned yet."""
    memory = await deps.memory.load(ThreadKey(state["thread"]))
    return {"memory": encode(memory), "pinned": [], "rounds": 0}
