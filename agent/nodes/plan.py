"""From a complete meaning to the inner graph's starting state."""

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, read
from agent.values.governance import Origin
from agent.values.spec import Understanding


async def plan(state: RunState, deps: Deps) -> RunState:
    """The spec to compile, where it comes from, and revision 1."""
    understanding = read(state, "understanding", Understanding)
    planned: RunState = {"revision": 1, "attempts": 0, "changes": [], "repair": None}
    if understanding.free_sql:
        return {**planned, "spec": None, "origin": "model"}
    origin: Origin = "trusted" if understanding.spec and understanding.spec.trusted_query else "compiled"
    return {**planned, "spec": encode(understanding.spec), "origin": origin}
