"""Runs what was countersigned, once, and keeps the rows in the result store."""

from time import perf_counter

from agent.codec import decode, encode
from agent.deps import Deps
from agent.nodes.sql_validator import check_for
from agent.reading import refusal_of
from agent.sql.decide import sign
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.governance import CheckedQuery, Countersignature, Decision, GovernedQuery, Refused
from agent.values.identity import RunId
from agent.values.outcome import Proposal
from agent.values.result import SAMPLE_ROWS, ResultColumn, ResultSample, Row
from agent.values.spec import Declined


async def sql_executor(state: RunState, deps: Deps) -> RunState:
    """Re-checks policy and catalog, then runs the very query that was shown; refuses when either has changed it."""
    run = RunId(state["run"])
    shown = read(state, "query", CheckedQuery)
    now = check_for(state, deps)
    if isinstance(now, Refused) or now.fingerprint != shown.fingerprint:
        stale = refusal_of(Declined(rule="approval_outdated"), run, language_of(state))
        return {"outcome": encode_outcome(stale), "result": None}
    await deps.progress.step(run, "running")
    limits = deps.policy_now().limits(deps.principal(state["asker"]), shown.domain)
    governed = sign(shown, _signature(state), limits).query
    started = perf_counter()
    rows = await _fetch(governed, run, deps)
    columns = read(state, "columns", tuple[ResultColumn, ...])
    cut = rows[: shown.row_limit - 1]
    ref = await deps.results.write(run, columns, cut, truncated=len(rows) > len(cut))
    return {
        "result": encode(ref),
        "sample": encode(ResultSample(columns=columns, rows=cut[:SAMPLE_ROWS])),
        "signature": encode(governed.signature),
        "seconds": perf_counter() - started,
    }


async def _fetch(governed: GovernedQuery, run: RunId, deps: Deps) -> tuple[Row, ...]:
    warehouse = deps.warehouses.of(governed.query.domain)
    return tuple([row async for batch in warehouse.stream(governed, run) for row in batch.rows])


def _signature(state: RunState) -> Countersignature:
    if state.get("signature"):
        return read(state, "signature", Countersignature)
    decision = read(state, "decision", Decision)
    proposal = decode(Proposal, state["proposal"]["value"])
    return Countersignature(by=decision.by_name or decision.by, at=decision.at, tier=proposal.risk.tier)
