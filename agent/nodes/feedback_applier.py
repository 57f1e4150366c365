"""The changed spec as SQL: one revision more."""

from agent.codec import encode
from agent.deps import Deps
from agent.nodes.schema_linker import schema_linker
from agent.nodes.sql_generator import sql_generator
from agent.state import RunState, read
from agent.values.spec import QuerySpec, Understanding


async def feedback_applier(state: RunState, deps: Deps) -> RunState:
    """Compiles the changed spec. What could not be understood leaves the spec as it was; compliance says so."""
    understanding = read(state, "understanding", Understanding)
    spec = understanding.spec or read(state, "previous_spec", QuerySpec)
    changed: RunState = {"spec": encode(spec), "revision": state["revision"] + 1, "attempts": 0}
    linked = await schema_linker({**state, **changed}, deps)
    if "outcome" in linked:
        return {**changed, **linked}
    return {**changed, **linked, **await sql_generator({**state, **changed, **linked}, deps)}
