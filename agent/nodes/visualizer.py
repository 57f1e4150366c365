"""How the result is drawn."""

from agent.analysis.chart_choice import choose_chart
from agent.codec import encode
from agent.deps import Deps
from agent.reading import domain_of
from agent.receipts import read_entities, title_of
from agent.rows import analysed_rows
from agent.state import RunState, language_of, read, spec_of
from agent.values.governance import CheckedQuery
from agent.values.identity import RunId
from agent.values.result import ResultRef


async def visualizer(state: RunState, deps: Deps) -> RunState:
    """A chart as a value, or none where a table or a number says it better."""
    await deps.progress.step(RunId(state["run"]), "drawing")
    language, domain = language_of(state), domain_of(state, deps)
    entities = read_entities(domain.entities, read(state, "query", CheckedQuery))
    ref = read(state, "result", ResultRef)
    chart = choose_chart(
        await analysed_rows(ref, deps),
        spec_of(state),
        domain,
        language,
        title=title_of(state, deps),
        source_line=", ".join(entity.names.in_locale(language) for entity in entities),
        truncated=ref.truncated,
    )
    return {"chart": encode(chart)}
