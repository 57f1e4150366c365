"""The numbers worth saying about a result."""

from agent.analysis.kpis import compute_kpis
from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, read
from agent.values.result import ResultRef
from agent.values.spec import QuerySpec


async def data_analyst(state: RunState, deps: Deps) -> RunState:
    """KPIs of the stored rows."""
    spec = read(state, "spec", QuerySpec)
    table = await deps.results.read(read(state, "result", ResultRef))
    return {"kpis": encode(compute_kpis(table, spec, deps.catalog_now().domain(spec.domain)))}
