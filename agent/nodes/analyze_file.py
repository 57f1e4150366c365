"""Files given in the thread."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState


async def analyze_file(state: RunState, deps: Deps) -> RunState:
    """Says that files are not read, and what can be asked of the governed data instead."""
    return reply(state, "reply.no_files")
