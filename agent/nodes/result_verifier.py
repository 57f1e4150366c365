"""Whether the result answers the question."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from agent.analysis.verify import verify_result
from agent.codec import encode
from agent.deps import Deps
from agent.modelling.judge import Case
from agent.reading import domain_of, today_of
from agent.receipts import title_of
from agent.state import RunState, language_of, read, spec_of, spent
from agent.values.governance import CheckedQuery
from agent.values.result import ResultRef, ResultSample, ResultTable, Verification
from agent.wording.dates import day
from semantic_catalog.model import Domain, TimeColumn


async def result_verifier(state: RunState, deps: Deps) -> RunState:
    """Checks columns, keys, period, NULLs and sums of the stored rows against the spec."""
    ref = read(state, "result", ResultRef)
    domain = domain_of(state, deps)
    dated = _dated(read(state, "query", CheckedQuery), domain)
    latest = await deps.warehouses.of(domain.name).latest(dated.source, dated.time.column) if dated else None
    table = await deps.results.read(ref)
    verification = verify_result(
        table,
        spec_of(state),
        domain,
        row_count=ref.row_count,
        truncated=ref.truncated,
        today=today_of(deps),
        latest=latest,
        locale=language_of(state),
    )
    until = _last_covered_day(latest, dated, today_of(deps)) if latest and dated else None
    judged = await _judged(state, deps, table, verification)
    return {**judged, "data_until": day(until, language_of(state)) if until else ""}


async def _judged(state: RunState, deps: Deps, table: ResultTable, verification: Verification) -> RunState:
    """A second reading where a model wrote the SQL and another is there to judge it; rows are needed for that."""
    written = state["origin"] == "model" and bool(table.rows)
    if deps.judge is None or not written or verification.status == "failed":
        return {"verification": encode(verification)}
    case = Case(
        question=state["text"],
        title=title_of(state, deps),
        sql=state["sql"],
        sample=read(state, "sample", ResultSample),
        table=table,
        language=language_of(state),
    )
    judged = await deps.judge.judge(case, verification)
    return {"verification": encode(judged.verification), **spent(state, judged.usage)}


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
