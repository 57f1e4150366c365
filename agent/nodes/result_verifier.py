"""Whether the result answers the question."""

from datetime import date

from agent.analysis.verify import verify_result
from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.state import RunState, language_of, read
from agent.values.governance import CheckedQuery
from agent.values.result import ResultRef
from agent.values.spec import QuerySpec
from agent.wording.dates import day
from semantic_catalog.model import Domain


async def result_verifier(state: RunState, deps: Deps) -> RunState:
    """Checks columns, keys, period, NULLs and sums of the stored rows against the spec."""
    ref = read(state, "result", ResultRef)
    spec = read(state, "spec", QuerySpec)
    domain = deps.catalog_now().domain(spec.domain)
    latest = await _latest_day(read(state, "query", CheckedQuery), domain, deps)
    verification = verify_result(
        await deps.results.read(ref),
        spec,
        domain,
        row_count=ref.row_count,
        truncated=ref.truncated,
        today=today_of(deps),
        latest=latest,
        locale=language_of(state),
    )
    return {"verification": encode(verification), "data_until": day(latest, language_of(state)) if latest else ""}


async def _latest_day(query: CheckedQuery, domain: Domain, deps: Deps) -> date | None:
    dated = next((entity for entity in domain.entities if entity.source in query.sources and entity.time), None)
    if dated is None or dated.time is None:
        return None
    return await deps.warehouses.of(domain.name).latest(dated.source, dated.time.column)
