"""The findings of a result that asks for more than one sentence."""

from agent.analysis.narrate import narrate
from agent.codec import encode
from agent.deps import Deps
from agent.state import RunState, language_of, read
from agent.values.result import Kpi, ResultRef, Verification
from agent.values.spec import QuerySpec


async def report_writer(state: RunState, deps: Deps) -> RunState:
    """The words of the answer, every number of them checked against the rows."""
    spec = read(state, "spec", QuerySpec)
    ref = read(state, "result", ResultRef)
    narrative = narrate(
        await deps.results.read(ref),
        spec,
        read(state, "kpis", tuple[Kpi, ...]),
        read(state, "verification", Verification),
        deps.catalog_now().domain(spec.domain),
        language_of(state),
        ref.row_count,
    )
    return {"narrative": encode(narrative)}
