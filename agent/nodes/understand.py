"""What the message means."""

from agent.deps import Deps
from agent.reading import read_message
from agent.state import RunState
from agent.values.identity import RunId


async def understand(state: RunState, deps: Deps) -> RunState:
    """The first reading of the message."""
    await deps.progress.step(RunId(state["run"]), "understanding")
    return await read_message(state, deps)
