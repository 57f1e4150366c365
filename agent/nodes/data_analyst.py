"""The numbers worth saying about a result."""

from agent.analysis.kpis import compute_kpis
from agent.codec import encode
from agent.deps import Deps
from agent.reading import domain_of
from agent.rows import analysed_rows
from agent.state import RunState, language_of, read, spec_of
from agent.values.result import ResultRef


async def data_analyst(state: RunState, deps: Deps) -> RunState:
    """KPIs of the stored rows."""
    ref = read(state, "result", ResultRef)
    table = await analysed_rows(ref, deps)
    kpis = compute_kpis(table, spec_of(state), domain_of(state, deps), language_of(state), ref.truncated)
    return {"kpis": encode(kpis)}
