"""Runs what was countersigned, once, and keeps the rows in the result store; known rows answer without a run."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter

from agent.analysis.engine_columns import SeenCells, engine_columns
from agent.analysis.quantities import quantities_of
from agent.budgeting import book_rows, refusal_over, spend_query
from agent.codec import decode, encode
from agent.deps import Deps, PrincipalGone
from agent.fetching import fetched_once
from agent.freshness import newest_days
from agent.nodes.sql_validator import check_for
from agent.policy.authority import may_approve
from agent.ports import RowBatch
from agent.reading import domain_of, paused, refusal_of
from agent.reuse import answer_key, known_answer
from agent.sql.decide import assess, sign
from agent.standing_signatures import standing_signature
from agent.state import RunState, encode_outcome, language_of, read, spec_of
from agent.stopping import stoppable
from agent.values.fetched import Fetched
from agent.values.governance import (
    CheckedQuery,
    CostEstimate,
    Countersignature,
    Decision,
    GovernedQuery,
    NeedsApproval,
    Refused,
)
from agent.values.identity import RunId
from agent.values.known_answer import KnownAnswer
from agent.values.outcome import Proposal
from agent.values.result import SAMPLE_ROWS, ResultColumn, ResultSample, Row
from agent.values.spec import Declined

ACCESS_CHANGED = Declined(rule="approval_outdated_access")
CATALOG_CHANGED = Declined(rule="approval_outdated_catalog")
SIGNATURE_SHORT = Declined(rule="approval_outdated_signature")


@dataclass(slots=True, kw_only=True)
class _Watched:
    """What is kept in memory of the rows that pass by on their way into the store."""

    seen: SeenCells | None = None
    sample: tuple[Row, ...] = ()

    def take(self, batch: RowBatch) -> Sequence[Row]:
        self.seen = self.seen or SeenCells(batch.columns)
        self.seen.add(batch.rows)
        self.sample = (*self.sample, *batch.rows[:SAMPLE_ROWS])[:SAMPLE_ROWS]
        return batch.rows


async def sql_executor(state: RunState, deps: Deps) -> RunState:
    """Re-checks policy, authority and catalog, then runs the very query that was shown; refuses what has changed."""
    run, shown = RunId(state["run"]), read(state, "query", CheckedQuery)
    declined = await _declined(state, deps, shown)
    if declined:
        return {"outcome": encode_outcome(refusal_of(declined, run, language_of(state))), "result": None}
    newest = await newest_days(shown, domain_of(state, deps), deps.warehouses.of(shown.domain))
    key = answer_key(state, deps, shown, newest)
    # A person who signs wants this query run; only a signature that nobody gave just now lets known rows answer.
    known = await known_answer(key, deps) if state.get("signature") else None
    over = None if known else await spend_query(state, deps, shown)
    if over is not None:
        return {"outcome": encode_outcome(refusal_over(over, run, language_of(state))), "result": None}
    update = _reused(*known) if known else await _run(state, deps, shown)
    return {**update, "newest": encode(newest), "answer_key": "" if known else key}


async def _run(state: RunState, deps: Deps, shown: CheckedQuery) -> RunState:
    run = RunId(state["run"])
    fetched = await fetched_once(run, shown.fingerprint, deps, lambda: _fetch(state, deps, shown))
    await book_rows(state, deps, shown, fetched.result.row_count)
    return {
        "columns": encode(fetched.result.columns),
        "result": encode(fetched.result),
        "sample": encode(fetched.sample),
        "signature": encode(_signature(state)),
        "seconds": fetched.seconds,
        "reused": None,
    }


async def _fetch(state: RunState, deps: Deps, shown: CheckedQuery) -> Fetched:
    run = RunId(state["run"])
    await deps.progress.step(run, "running")
    limits = deps.policy_now().limits(deps.principal(state["asker"]), shown.domain)
    governed = sign(shown, _signature(state), limits).query
    started, watched = perf_counter(), _Watched()
    async with aclosing(_fetched(governed, run, deps, watched)) as batches:
        ref = await deps.results.write_batches(
            run, batches, lambda: _columns(state, deps, watched), shown.row_limit - 1
        )
    sample = ResultSample(columns=ref.columns, rows=watched.sample[: ref.row_count])
    return Fetched(fingerprint=shown.fingerprint, result=ref, sample=sample, seconds=perf_counter() - started)


def _reused(known: KnownAnswer, sample: ResultSample) -> RunState:
    return {
        "columns": encode(known.result.columns),
        "result": encode(known.result),
        "sample": encode(sample),
        "seconds": 0.0,
        "reused": encode(known),
    }


async def _declined(state: RunState, deps: Deps, shown: CheckedQuery) -> Declined | None:
    """Why the query may not run any more, whoever signed it."""
    if deps.catalog_now().version != shown.catalog_version:
        return CATALOG_CHANGED
    if deps.pauses.is_paused(shown.domain):
        return paused(domain_of(state, deps), language_of(state))
    try:
        now = check_for(state, deps)
    except PrincipalGone:
        return ACCESS_CHANGED
    if isinstance(now, Refused) or now.fingerprint != shown.fingerprint:
        return ACCESS_CHANGED
    principal, policy = deps.principal(state["asker"]), deps.policy_now()
    verdict = assess(now, read(state, "estimate", CostEstimate), principal, policy, deps.clock.now())
    if isinstance(verdict, Refused):
        return Declined(rule=verdict.findings[0].rule.value, params=verdict.findings[0].params)
    if isinstance(verdict, NeedsApproval) and not await _is_signed(state, deps, verdict):
        return SIGNATURE_SHORT
    return None


async def _is_signed(state: RunState, deps: Deps, wanted: NeedsApproval) -> bool:
    """By a person who may sign it now, or by an approval of its kind that holds now."""
    if state.get("signature"):
        return await standing_signature(state, deps, wanted) is not None
    policy, asker = deps.policy_now(), wanted.query.principal
    signer = policy.principal(read(state, "decision", Decision).by)
    return signer is not None and may_approve(policy, signer, asker, wanted.query.domain, wanted.risk.tier)


async def _fetched(
    governed: GovernedQuery, run: RunId, deps: Deps, watched: _Watched
) -> AsyncGenerator[Sequence[Row], None]:
    """The rows as they come; what the engine breaks off is kept nowhere."""
    warehouse = deps.warehouses.of(governed.query.domain)
    async with stoppable(run, warehouse, deps.stops):
        async for batch in warehouse.stream(governed, run):
            yield watched.take(batch)


def _columns(state: RunState, deps: Deps, watched: _Watched) -> tuple[ResultColumn, ...]:
    """The compiler knows what its columns hold; of SQL that was written, the engine does."""
    if spec_of(state) is not None:
        return read(state, "columns", tuple[ResultColumn, ...])
    domain, sql = domain_of(state, deps), read(state, "query", CheckedQuery).sql
    known = quantities_of(sql, domain)
    return engine_columns(watched.seen or SeenCells(()), domain, language_of(state), known)


def _signature(state: RunState) -> Countersignature:
    if state.get("signature"):
        return read(state, "signature", Countersignature)
    decision = read(state, "decision", Decision)
    proposal = decode(Proposal, state["proposal"]["value"])
    return Countersignature(by=decision.by_name or decision.by, at=decision.at, tier=proposal.risk.tier)
