"""First step of a run: what the thread remembers."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState
from agent.values.identity import ThreadKey
from agent.values.memory import RememberedRun
from semantic_catalog.model import DomainName


async def restore(state: RunState, deps: Deps) -> RunState:
    """The thread's memory of domains that are offered now (a file's is only while it is given), and nothing pinned."""
    memory = await deps.memory.load(ThreadKey(state["thread"]))
    offered = {domain.name for domain in deps.catalog_now().domains}
    kept = tuple(run for run in memory.runs if _domain_of(run) in (*offered, None))
    return {"memory": encode(replace(memory, runs=kept)), "pinned": [], "rounds": 0}


def _domain_of(run: RememberedRun) -> DomainName | None:
    if run.query is not None:
        return run.query.domain
    return run.spec.domain if run.spec is not None else None
