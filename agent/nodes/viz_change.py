"""Another chart of the rows already fetched: no SQL."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.nodes.data_analyst import data_analyst
from agent.nodes.follow_up_restore import follow_up_restore
from agent.nodes.report_writer import report_writer
from agent.nodes.response_formatter import response_formatter
from agent.nodes.visualizer import visualizer
from agent.replies import reply
from agent.state import RunState, read
from agent.values.memory import ThreadMemory
from agent.values.spec import Understanding


async def viz_change(state: RunState, deps: Deps) -> RunState:
    """The asker's last answer, redrawn as wished; a sentence when there is nothing to redraw."""
    last = read(state, "memory", ThreadMemory).last
    wish = read(state, "understanding", Understanding).spec
    if last is None or last.result is None or last.spec is None or last.asker != state["asker"]:
        return reply(state, "reply.nothing_to_redraw")
    redrawn: RunState = {**state, "spec": encode(replace(last.spec, chart=wish.chart if wish else None))}
    for step in (follow_up_restore, data_analyst, visualizer, report_writer, response_formatter):
        redrawn = {**redrawn, **await step(redrawn, deps)}
    return redrawn
