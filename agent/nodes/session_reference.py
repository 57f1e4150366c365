"""Questions about what was done before: answered from memory, no SQL."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, language_of, read
from agent.values.memory import ThreadMemory
from agent.wording.dates import instant


async def session_reference(state: RunState, deps: Deps) -> RunState:
    """The last query of the thread word for word, who signed it and when; nobody else's unless they are the asker."""
    last = read(state, "memory", ThreadMemory).last
    if last is None or not last.sql or last.asker != state["asker"]:
        return reply(state, "reply.nothing_ran")
    zone = deps.catalog_now().domains[0].timezone
    return reply(
        state,
        "reply.last_query",
        question=last.question,
        sql=last.sql,
        approved_by=last.signature.by if last.signature else "",
        when=instant(last.finished_at, zone, language_of(state)),
    )
