"""Whether the result answers the question."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from agent.analysis.verify import verify_result
from agent.codec import encode
from agent.deps import Deps
from agent.reading import today_of
from agent.state import RunState, language_of, read
from agent.values.governance import CheckedQuery
from agent.values.result import ResultRef
from agent.values.spec import QuerySpec
from agent.wording.dates import day
from semantic_catalog.model import Domain, TimeColumn


async def result_verifier(state: RunState, deps: Deps) -> RunState:
    """Checks columns, keys, period, NULLs and sums of the stored rows against the spec."""
    ref = read(state, "result", ResultRef)
    spec = read(state, "spec", QuerySpec)
    domain = deps.catalog_now().domain(spec.domain)
    dated = _dated(read(state, "query", CheckedQuery), domain)
    latest = await deps.warehouses.of(domain.name).latest(dated.source, dated.time.column) if dated else None
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
    until = _last_covered_day(latest, dated, today_of(deps)) if latest and dated else None
    return {"verification": encode(verification), "data_until": day(until, language_of(state)) if until else ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class _DatedSource:
    source: str
    time: TimeColumn


def _dated(query: CheckedQuery, domain: Domain) -> _DatedSource | None:
    read_ones = (entity for entity in domain.entities if entity.source in query.sources)
    return next((_DatedSource(source=e.source, time=e.time) for e in read_ones if e.time is not None), None)


def _last_covered_day(latest: date, dated: _DatedSource, today: date) -> date:
    """A source by month names the month's first day: its data runs to the month's end, or to yesterday."""
    if dated.time.kind not in ("month", "month_text"):
        return latest
    month_end = latest.replace(day=monthrange(latest.year, latest.month)[1])
    return min(month_end, today - timedelta(days=1))
