"""Whether a person must sign, and the proposal they are shown."""

from datetime import datetime, timedelta

from agent.codec import encode
from agent.deps import Deps
from agent.reading import refusal_of
from agent.receipts import receipt_of
from agent.sql.decide import assess
from agent.state import RunState, encode_outcome, language_of, read
from agent.values.governance import Approved, CheckedQuery, CostEstimate, NeedsApproval, Refused
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import Proposal
from agent.values.spec import Declined, QuerySpec, Understanding
from agent.wording.assumptions import assumption_texts


async def hitl_checker(state: RunState, deps: Deps) -> RunState:
    """The policy's verdict: signed by the policy, a proposal to wait for, or a refusal that says what to narrow."""
    query = read(state, "query", CheckedQuery)
    estimate = read(state, "estimate", CostEstimate)
    principal = deps.principal(state["asker"])
    verdict = assess(query, estimate, principal, deps.policy_now(), deps.clock.now())
    if isinstance(verdict, Refused):
        finding = verdict.findings[0]
        declined = Declined(rule=finding.rule.value, params=finding.params)
        refusal = refusal_of(declined, RunId(state["run"]), language_of(state))
        return {"outcome": encode_outcome(refusal)}
    if isinstance(verdict, Approved):
        return {"signature": encode(verdict.query.signature)}
    await deps.progress.step(RunId(state["run"]), "waiting")
    proposal = _proposal(state, deps, verdict, deps.clock.now())
    return {"proposal": encode_outcome(proposal), "signature": None}


def _proposal(state: RunState, deps: Deps, verdict: NeedsApproval, now: datetime) -> Proposal:
    spec = read(state, "spec", QuerySpec)
    understanding = read(state, "understanding", Understanding)
    language = language_of(state)
    principal = deps.principal(state["asker"])
    domain = deps.catalog_now().domain(spec.domain)
    return Proposal(
        run=RunId(state["run"]),
        revision=state["revision"],
        locale=language,
        spec=spec,
        receipt=receipt_of(state, deps),
        query=verdict.query,
        estimate=verdict.estimate,
        risk=verdict.risk,
        asked_by=principal.id,
        asked_by_name=state.get("asker_name") or principal.display_name or principal.id,
        approvers=deps.policy_now().approver_names(spec.domain, PrincipalId(principal.id), verdict.risk.tier),
        expires_at=now + timedelta(hours=deps.policy_now().expires_after_hours),
        max_plan_cost=deps.policy_now().limits(principal, spec.domain).max_plan_cost,
        timezone=domain.timezone,
        changes=tuple(state.get("changes", [])),
        assumptions=assumption_texts(understanding.assumptions, language),
        unused_words=understanding.unused_words,
    )
