"""The findings of a result that asks for more than one sentence."""

from dataclasses import replace

from agent.analysis.highlights import MAX_HIGHLIGHTS
from agent.analysis.narrate import narrate
from agent.analysis.summarise import MOST_LINES, summarise
from agent.codec import encode
from agent.deps import Deps
from agent.modelling.explainer import Told
from agent.reading import domain_of
from agent.rows import analysed_rows, for_model
from agent.state import RunState, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.identity import RunId
from agent.values.result import Kpi, Narrative, ResultRef, Verification
from agent.values.spec import Understanding


async def report_writer(state: RunState, deps: Deps) -> RunState:
    """The words of the answer, every number of them checked against the rows; a summary where an analysis is asked."""
    ref, spec, domain = read(state, "result", ResultRef), spec_of(state), domain_of(state, deps)
    table, kpis = await analysed_rows(ref, deps), read(state, "kpis", tuple[Kpi, ...])
    verification, language = read(state, "verification", Verification), language_of(state)
    narrative = narrate(table, spec, kpis, verification, domain, language, ref.row_count)
    analysed = read(state, "understanding", Understanding).report in ("analysis", "full")
    summary = summarise(table, spec, kpis, verification, domain, language, ref.row_count) if analysed else ()
    explainer = deps.models_now().explainer
    if explainer is None:
        return {"narrative": encode(replace(narrative, summary=summary))}
    told = Told(
        question=state["text"],
        table=for_model(table),
        spec=spec,
        kpis=kpis,
        row_count=ref.row_count,
        domain=domain,
        language=language,
        draft=replace(narrative, highlights=summary or narrative.highlights),
        most_lines=MOST_LINES if analysed else MAX_HIGHLIGHTS,
    )
    explained = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, explainer.explain(told))
    told_as = _summed_up(explained.narrative, summary) if analysed else explained.narrative
    return {"narrative": encode(told_as), **spent(state, explained.usage)}


def _summed_up(told: Narrative, summary: tuple[str, ...]) -> Narrative:
    """The model's lines as the summary, or the rules' where it wrote none that hold."""
    lines = told.highlights or summary
    return replace(told, highlights=lines[:MAX_HIGHLIGHTS], summary=lines)
