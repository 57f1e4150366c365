"""First step of a run: what the thread remembers."""

from dataclasses import replace

from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState
from agent.understanding.earlier import as_of, as_seen_by
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.memory import RememberedRun
from semantic_catalog.model import DomainName


async def restore(state: RunState, deps: Deps) -> RunState:
    """The thread's memory as its asker goes on from it, of domains that are offered now (a file's is only while it is
    given), and nothing pinned.
    """
    asker = PrincipalId(state["asker"])
    memory = as_seen_by(await deps.memory.load(ThreadKey(state["thread"])), asker)
    memory = as_of(memory, state.get("about", ""))
    offered = {domain.name for domain in deps.catalog_now().domains}
    kept = tuple(run for run in memory.runs if _domain_of(run) in (*offered, None))
    return {"memory": encode(replace(memory, runs=kept)), "pinned": [], "rounds": 0}


def _domain_of(run: RememberedRun) -> DomainName | None:
    if run.query is not None:
        return run.query.domain
    return run.spec.domain if run.spec is not None else None
