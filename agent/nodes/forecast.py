"""Questions about the future."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState


async def forecast(state: RunState, deps: Deps) -> RunState:
    """Says that no projection is made from this data, and what history can be asked instead."""
    return reply(state, "reply.no_forecast")
