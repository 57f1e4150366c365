"""Whether a click may decide a proposal, at the moment it is pressed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.policy.authority import may_approve
from agent.policy.model import Policy
from agent.policy.standing import may_grant
from agent.values.identity import Principal
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import CardAction

Standing = Literal["may_decide", "stranger", "not_for_kinds", "stale", "expired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """Somebody pressed a button of a proposal."""

    action: CardAction
    principal: Principal | None
    at: datetime


def standing_of(click: Click, record: RunRecord | None, policy: Policy) -> Standing:
    """`stale`: decided, replaced or changed since; `stranger`: not for this person to decide; `not_for_kinds`: they
    may approve it, but not the next ones like it.

    The asker may always reject, cancel or change their own question; approving follows the policy.
    """
    if record is None or not isinstance(record.pending, Proposal) or record.status != "awaiting_approval":
        return "stale"
    if not _is_of(click.action, record.pending):
        return "stale"
    if not _is_for(click, record.pending, policy):
        return "stranger"
    if click.action.verb == "approve_always" and not _may_grant(click, record.pending, policy):
        return "not_for_kinds"
    return "expired" if click.at >= record.pending.expires_at else "may_decide"


def _is_of(action: CardAction, proposal: Proposal) -> bool:
    """A change may lead to the same SQL: the revision tells its card from the one before."""
    return action.fingerprint == proposal.fingerprint and action.value in ("", str(proposal.revision))


def _may_grant(click: Click, proposal: Proposal, policy: Policy) -> bool:
    if click.principal is None or not proposal.standing_days:
        return False
    return may_grant(policy, click.principal, proposal.asked_by, proposal.query.domain, proposal.risk)


def _is_for(click: Click, proposal: Proposal, policy: Policy) -> bool:
    if click.principal is None:
        return False
    if click.action.verb in ("reject", "cancel", "change") and click.principal.id == proposal.asked_by:
        return True
    return may_approve(policy, click.principal, proposal.asked_by, proposal.query.domain, proposal.risk.tier)
