"""Approvals of a kind of question: given with a signature, kept until they end, revoked at any time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from agent.policy.standing import kind_of
from agent.ports import Clock
from agent.values.governance import Decision
from agent.values.identity import PrincipalId
from agent.values.outcome import Proposal
from agent.values.standing import StandingApproval
from bot.identifiers import run_id
from bot.memberships import GroupedPolicy
from bot.ports import AuditLog, StandingStore


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingApprovals:
    """What people signed for once for all. Every change is in the audit log."""

    store: StandingStore
    audit: AuditLog
    clock: Clock

    async def grant(self, proposal: Proposal, decision: Decision) -> None:
        """Keep the decision's approval for the kind; one that is in force for the same asker stays as it is."""
        assert proposal.spec is not None
        approval = StandingApproval(
            id=run_id(f"{proposal.run}:{proposal.revision}"),
            kind=kind_of(proposal.spec, proposal.query),
            domain=proposal.query.domain,
            asker=proposal.asked_by,
            granted_by=decision.by,
            granted_by_name=decision.by_name,
            granted_at=decision.at,
            expires_at=decision.at + timedelta(days=proposal.standing_days),
            run=proposal.run,
            level=proposal.risk.level,
            title=proposal.receipt.title,
        )
        if await self.store.add(approval):
            facts = {"approval": approval.id, "asker": approval.asker, "until": approval.expires_at.isoformat()}
            await self.audit.append(approval.run, "kind_approved", decision.by, facts, f"kind:{approval.id}")

    async def revoke(self, approval_id: str, by: str) -> StandingApproval | None:
        """End an approval; None when none of that id is in force."""
        ended = await self.store.revoke(approval_id, self.clock.now())
        if ended is not None:
            facts = {"approval": ended.id, "asker": ended.asker}
            await self.audit.append(ended.run, "kind_revoked", by, facts, f"revoked:{ended.id}")
        return ended

    async def in_force(self) -> tuple[StandingApproval, ...]:
        """Every approval that still holds, oldest first."""
        return await self.store.in_force(self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalsOfKnownGivers:
    """Implements `KnownApprovals`: with an approval found, its giver's groups are known as of now."""

    store: StandingStore
    people: GroupedPolicy

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:
        """The asker's approval of that kind that has neither ended nor been revoked at `now`."""
        approval = await self.store.find(kind, asker, now)
        if approval is not None and approval.granted_by != asker:
            await self.people.know_again(approval.granted_by, fresh=True)
        return approval
