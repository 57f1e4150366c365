"""The numbers worth saying about a result."""

from agent.analysis.kpis import compute_kpis
from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, language_of, read
from agent.values.result import ResultRef
from agent.values.spec import QuerySpec


async def data_analyst(state: RunState, deps: Deps) -> RunState:
    """KPIs of the stored rows."""
    spec = read(state, "spec", QuerySpec)
    ref = read(state, "result", ResultRef)
    domain = deps.catalog_now().domain(spec.domain)
    kpis = compute_kpis(await deps.results.read(ref), spec, domain, language_of(state), ref.truncated)
    return {"kpis": encode(kpis)}
