"""How the result is drawn."""

from agent.analysis.chart_choice import choose_chart
from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.receipts import read_entities
from agent.state import RunState, language_of, read
from agent.values.governance import CheckedQuery
from agent.values.identity import RunId
from agent.values.result import ResultRef
from agent.values.spec import QuerySpec
from agent.wording.receipt import spec_title


async def visualizer(state: RunState, deps: Deps) -> RunState:
    """A chart as a value, or none where a table or a number says it better."""
    await deps.progress.step(RunId(state["run"]), "drawing")
    spec = read(state, "spec", QuerySpec)
    language = language_of(state)
    domain = deps.catalog_now().domain(spec.domain)
    entities = read_entities(domain.entities, read(state, "query", CheckedQuery))
    ref = read(state, "result", ResultRef)
    chart = choose_chart(
        await deps.results.read(ref),
        spec,
        domain,
        language,
        title=spec_title(spec, domain, language, today_of(deps)),
        source_line=", ".join(entity.names.in_locale(language) for entity in entities),
        truncated=ref.truncated,
    )
    return {"chart": encode(chart)}
