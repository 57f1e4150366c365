"""Everything the run found, as one outcome."""

from agent.codec import decode
from agent.deps import Deps
from agent.reading import domain_of
from agent.receipts import read_entities, receipt_of
from agent.state import RunState, encode_outcome, language_of, read, spec_of, usage_of
from agent.values.governance import CheckedQuery, Countersignature, Decision
from agent.values.identity import RunId
from agent.values.known_answer import KnownAnswer
from agent.values.outcome import Answer, Failure, NoData, Outcome, Rejected
from agent.values.result import ChartSpec, Kpi, Narrative, ResultRef, ResultSample, Verification
from agent.values.spec import Understanding
from agent.wording.assumptions import assumption_texts
from agent.wording.texts import say


async def response_formatter(state: RunState, deps: Deps) -> RunState:
    """An answer, no data, a failed check, or what became of a proposal that was not approved."""
    if not state.get("result"):
        return {"outcome": encode_outcome(_rejected(state))}
    if read(state, "verification", Verification).status == "failed":
        return {"outcome": encode_outcome(_failed_check(state))}
    empty = read(state, "result", ResultRef).row_count == 0
    return {"outcome": encode_outcome(_no_data(state, deps) if empty else _answer(state, deps))}


def _rejected(state: RunState) -> Rejected:
    decision = read(state, "decision", Decision)
    return Rejected(
        run=RunId(state["run"]),
        locale=language_of(state),
        kind=decision.kind,
        by_name=decision.by_name or decision.by,
        at=decision.at,
        reason=decision.text,
    )


def _failed_check(state: RunState) -> Failure:
    doubts = read(state, "verification", Verification).doubts
    language = language_of(state)
    why = "; ".join(say(language, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in doubts)
    return Failure(
        run=RunId(state["run"]),
        locale=language,
        code="verification_failed",
        message=say(language, "answer.verification_failed", why=why),
        reference=state["run"],
    )


def _no_data(state: RunState, deps: Deps) -> Outcome:
    language = language_of(state)
    receipt = receipt_of(state, deps)
    return NoData(
        run=RunId(state["run"]),
        locale=language,
        spec=spec_of(state),
        receipt=receipt,
        query=read(state, "query", CheckedQuery),
        message=_why_nothing(state, receipt.title),
        approved_by=read(state, "signature", Countersignature).by,
    )


def _why_nothing(state: RunState, title: str) -> str:
    """That there are no rows, and why as far as that is known; else up to when there is data."""
    language, until = language_of(state), state.get("data_until", "")
    doubts = read(state, "verification", Verification).doubts
    why = [say(language, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in doubts]
    # Under row rules nothing found is no fact about all rows.
    seen = "_seen" if read(state, "query", CheckedQuery).filtered else ""
    if not why and until:
        return say(language, f"answer.no_rows{seen}_until", title=title, until=until)
    return " ".join((say(language, f"answer.no_rows{seen}", title=title), *why))


def _answer(state: RunState, deps: Deps) -> Answer:
    language = language_of(state)
    query = read(state, "query", CheckedQuery)
    domain = domain_of(state, deps)
    understanding = read(state, "understanding", Understanding)
    verification = read(state, "verification", Verification)
    return Answer(
        run=RunId(state["run"]),
        locale=language,
        spec=spec_of(state),
        receipt=receipt_of(state, deps),
        query=query,
        approved_by=read(state, "signature", Countersignature).by,
        result=read(state, "result", ResultRef),
        sample=read(state, "sample", ResultSample),
        narrative=read(state, "narrative", Narrative),
        kpis=read(state, "kpis", tuple[Kpi, ...]),
        verification=verification,
        chart=decode(ChartSpec, state["chart"]) if state.get("chart") else None,
        suggestions=(),
        source_label=", ".join(e.names.in_locale(language) for e in read_entities(domain.entities, query)),
        data_until=state.get("data_until", ""),
        seconds=state["seconds"],
        timezone=domain.timezone,
        assumptions=assumption_texts(understanding.assumptions, language),
        unused_words=understanding.unused_words,
        warnings=tuple(say(language, f"doubt.{doubt.key}", **dict(doubt.params)) for doubt in verification.doubts),
        usage=usage_of(state),
        report=understanding.report,
        fetched_at=decode(KnownAnswer, state["reused"]).fetched_at if state.get("reused") else None,
    )
