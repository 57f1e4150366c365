"""What the engine expects the query to cost."""

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, read
from agent.values.governance import CheckedQuery


async def cost_estimator(state: RunState, deps: Deps) -> RunState:
    """The planner's estimate; nothing runs."""
    query = read(state, "query", CheckedQuery)
    estimate = await deps.warehouses.of(query.domain).estimate(query)
    return {"estimate": encode(estimate)}
