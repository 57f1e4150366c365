"""Whether the question needs SQL, or only another look at rows already fetched."""

from dataclasses import replace

from agent.deps import Deps
from agent.state import RunState, read, spec_of
from agent.values.memory import ThreadMemory


async def route(state: RunState, deps: Deps) -> RunState:
    """`follow_up` when the asker's own last result holds the very same rows and only its drawing is new."""
    spec = spec_of(state)
    last = read(state, "memory", ThreadMemory).last
    redraws = (
        spec is not None
        and last is not None
        and last.asker == state["asker"]
        and last.result is not None
        and last.spec is not None
        and spec.chart is not None
        and spec != last.spec
        and replace(last.spec, chart=spec.chart) == spec
    )
    return {"path": "follow_up" if redraws else "query"}
