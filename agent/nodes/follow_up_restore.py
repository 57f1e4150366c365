"""Rows already fetched, back into the run: no SQL."""

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, read
from agent.values.memory import ThreadMemory


async def follow_up_restore(state: RunState, deps: Deps) -> RunState:
    """The last result of the thread, as if this run had fetched it."""
    last = read(state, "memory", ThreadMemory).last
    assert last is not None
    assert last.result is not None
    return {
        "result": encode(last.result),
        "sample": encode(last.sample),
        "columns": encode(last.result.columns),
        "query": encode(last.query),
        "sql": last.sql,
        "signature": encode(last.signature),
        "verification": encode(last.verification),
        "seconds": 0.0,
        "data_until": last.data_until,
    }
