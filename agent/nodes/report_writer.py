"""The findings of a result that asks for more than one sentence."""

from agent.analysis.narrate import narrate
from agent.codec import encode
from agent.deps import Deps
from agent.modelling.explainer import Told
from agent.reading import domain_of
from agent.state import RunState, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.identity import RunId
from agent.values.result import Kpi, ResultRef, Verification


async def report_writer(state: RunState, deps: Deps) -> RunState:
    """The words of the answer, every number of them checked against the rows."""
    ref, spec, domain = read(state, "result", ResultRef), spec_of(state), domain_of(state, deps)
    table, kpis = await deps.results.read(ref), read(state, "kpis", tuple[Kpi, ...])
    verification, language = read(state, "verification", Verification), language_of(state)
    narrative = narrate(table, spec, kpis, verification, domain, language, ref.row_count)
    if deps.explainer is None:
        return {"narrative": encode(narrative)}
    told = Told(
        question=state["text"],
        table=table,
        spec=spec,
        kpis=kpis,
        row_count=ref.row_count,
        domain=domain,
        language=language,
        draft=narrative,
    )
    explained = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, deps.explainer.explain(told))
    return {"narrative": encode(explained.narrative), **spent(state, explained.usage)}
