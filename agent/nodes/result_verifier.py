"""Whether the result answers the question."""

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from agent.analysis.cells import as_number
from agent.analysis.verify import verify_result
from agent.codec import encode
from agent.deps import Deps
from agent.emptiness import why_empty
from agent.freshness import SourceDay, dated_sources
from agent.modelling.judge import Case
from agent.reading import domain_of, today_of
from agent.receipts import title_of
from agent.reuse import keep_answer
from agent.rows import analysed_rows, for_model
from agent.state import RunState, language_of, read, spec_of, spent
from agent.stopping import unless_stopped_meanwhile
from agent.values.governance import CheckedQuery
from agent.values.identity import RunId
from agent.values.known_answer import KnownAnswer
from agent.values.result import ResultRef, ResultSample, ResultTable, Row, Verification
from agent.wording.dates import day
from semantic_catalog.model import TimeColumn


async def result_verifier(state: RunState, deps: Deps) -> RunState:
    """Checks columns, keys, period, NULLs and sums of the stored rows against the spec."""
    ref = read(state, "result", ResultRef)
    domain = domain_of(state, deps)
    newest = read(state, "newest", tuple[SourceDay, ...])
    latest = newest[0].day if newest else None
    table = await analysed_rows(ref, deps)
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
    if table.long is None and not any(_has_number(row) for row in table.rows):
        verification = replace(verification, doubts=(*verification.doubts, *await why_empty(state, deps, newest)))
    judged = await _judged(state, deps, table, verification)
    if verification.status != "failed" and table.rows:
        await _kept(state, deps, ref)
    return {**judged, "data_until": _data_until(state, deps, latest)}


def _has_number(row: Row) -> bool:
    return any(as_number(cell) is not None for cell in row)


async def _kept(state: RunState, deps: Deps, ref: ResultRef) -> None:
    """For the next time the same person asks the same; what is known already keeps its time."""
    known = KnownAnswer(run=ref.run, result=ref, fetched_at=deps.clock.now())
    await keep_answer(state.get("answer_key", ""), known, deps)


def _data_until(state: RunState, deps: Deps, latest: date | None) -> str:
    """The last covered day of the first dated source, in words."""
    dated = dated_sources(read(state, "query", CheckedQuery), domain_of(state, deps))
    if latest is None or not dated:
        return ""
    _, time = dated[0]
    return day(_last_covered_day(latest, time, today_of(deps)), language_of(state))


async def _judged(state: RunState, deps: Deps, table: ResultTable, verification: Verification) -> RunState:
    """A second reading where a model wrote the SQL and another is there to judge it; rows are needed for that."""
    written = state["origin"] == "model" and bool(table.rows)
    judge = deps.models_now().judge
    if judge is None or not written or verification.status == "failed":
        return {"verification": encode(verification)}
    case = Case(
        question=state["text"],
        title=title_of(state, deps),
        sql=state["sql"],
        sample=read(state, "sample", ResultSample),
        table=for_model(table),
        language=language_of(state),
    )
    judged = await unless_stopped_meanwhile(RunId(state["run"]), deps.stops, judge.judge(case, verification))
    return {"verification": encode(judged.verification), **spent(state, judged.usage)}


def _last_covered_day(latest: date, time: TimeColumn, today: date) -> date:
    """A source by month names the month's first day: its data runs to the month's end, or to yesterday."""
    if time.kind not in ("month", "month_text"):
        return latest
    month_end = latest.replace(day=monthrange(latest.year, latest.month)[1])
    return min(month_end, today - timedelta(days=1))
