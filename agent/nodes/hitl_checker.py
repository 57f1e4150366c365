"""Whether a person must sign, and the proposal they are shown."""

from dataclasses import replace
from datetime import datetime, timedelta

from agent.budgeting import proposal_warning
from agent.codec import encode
from agent.deps import Deps
from agent.policy.standing import offered_days
from agent.reading import domain_of, refusal_of
from agent.receipts import receipt_of
from agent.revisions import broken_rule, previous_sql
from agent.sql.decide import assess
from agent.standing_signatures import standing_signature
from agent.state import RunState, encode_outcome, language_of, read, spec_of, usage_of
from agent.stopping import unless_stopped
from agent.values.governance import (
    Approved,
    CheckedQuery,
    CostEstimate,
    NeedsApproval,
    Refused,
)
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import Proposal, Suggestion
from agent.values.spec import Declined, Understanding
from agent.wording.assumptions import assumption_texts


async def hitl_checker(state: RunState, deps: Deps) -> RunState:
    """The policy's verdict: signed by the policy, a proposal to wait for, or a refusal that says what to narrow.

    Nothing is proposed or run in a conversation that the policy keeps the domain out of.

    Raises `QueryCancelled` when somebody asked the run to stop.
    """
    await unless_stopped(RunId(state["run"]), deps.stops)
    query = read(state, "query", CheckedQuery)
    estimate = read(state, "estimate", CostEstimate)
    if await deps.surroundings.refuses(query.domain):
        refusal = refusal_of(Declined(rule="outsiders_read"), RunId(state["run"]), language_of(state))
        return {"outcome": encode_outcome(refusal)}
    principal = deps.principal(state["asker"])
    verdict = assess(query, estimate, principal, deps.policy_now(), deps.clock.now())
    if isinstance(verdict, Refused):
        finding = verdict.findings[0]
        declined = Declined(rule=finding.rule.value, params=finding.params)
        refusal = refusal_of(declined, RunId(state["run"]), language_of(state))
        return {"outcome": encode_outcome(refusal)}
    if isinstance(verdict, Approved):
        return {"signature": encode(verdict.query.signature)}
    signature = await standing_signature(state, deps, verdict)
    if signature is not None:
        return {"signature": encode(signature)}
    await deps.progress.step(RunId(state["run"]), "waiting")
    proposal = _proposal(state, deps, verdict, deps.clock.now())
    proposal = replace(proposal, budget_warning=await proposal_warning(state, deps, query))
    return {"proposal": encode_outcome(proposal), "signature": None}


def _proposal(state: RunState, deps: Deps, verdict: NeedsApproval, now: datetime) -> Proposal:
    understanding = read(state, "understanding", Understanding)
    language = language_of(state)
    principal = deps.principal(state["asker"])
    domain = domain_of(state, deps)
    return Proposal(
        run=RunId(state["run"]),
        revision=state["revision"],
        locale=language,
        spec=spec_of(state),
        receipt=receipt_of(state, deps),
        query=verdict.query,
        estimate=verdict.estimate,
        risk=verdict.risk,
        asked_by=principal.id,
        asked_by_name=state.get("asker_name") or principal.display_name or principal.id,
        approvers=deps.policy_now().approver_names(domain.name, PrincipalId(principal.id), verdict.risk.tier),
        expires_at=now + timedelta(hours=deps.policy_now().expires_after_hours),
        max_plan_cost=deps.policy_now().limits(principal, domain.name).max_plan_cost,
        timezone=domain.timezone,
        changes=tuple(state.get("changes", [])),
        offers=tuple(Suggestion(label=label, question=words) for label, words in state.get("offers", [])),
        assumptions=assumption_texts(understanding.assumptions, language),
        unused_words=understanding.unused_words,
        previous_sql=previous_sql(state),
        turned_down=broken_rule(state),
        standing_days=offered_days(deps.policy_now(), verdict.query, verdict.risk) if state.get("spec") else 0,
        usage=usage_of(state),
    )
