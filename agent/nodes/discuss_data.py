"""Talk about the data on screen: only what the last result says."""

from agent.deps import Deps
from agent.replies import reply
from agent.state import RunState, read
from agent.values.memory import ThreadMemory


async def discuss_data(state: RunState, deps: Deps) -> RunState:
    """The last answer's sentence and findings, all of them checked when it was given."""
    last = read(state, "memory", ThreadMemory).last
    if last is None or not last.headline or last.asker != state["asker"]:
        return reply(state, "reply.nothing_to_discuss")
    return reply(state, "reply.discussion", headline=last.headline, findings="\n".join(last.findings))
