"""Decisions on proposals: by the right person, once, on exactly what was shown."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from agent.values.governance import Decision
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.outcome import Proposal, RunRecord
from agent.values.turn import Turn
from bot.authority import Click, Standing, standing_of
from bot.driver import RunStop
from bot.run_desk import RunDesk, run_of
from bot.statuses import RUNNING
from cards.build.decided import decided_card
from cards.build.notices import stale_notice, stranger_notice

DecisionVerb = Literal["approve", "reject", "change", "cancel"]
_VERBS: tuple[DecisionVerb, ...] = get_args(DecisionVerb)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """Records decisions and lets their runs go on."""

    desk: RunDesk

    async def decide(self, turn: Turn, principal: Principal) -> RunStop | None:
        """Decide the proposal the button belongs to; a stranger's or a stale click gets a private notice instead."""
        assert turn.action is not None
        record = await self.desk.runs.get(run_of(turn))
        click = Click(action=turn.action, principal=principal, at=self.desk.deps.clock.now())
        standing = standing_of(click, record, self.desk.deps.policy_now())
        if record is not None and standing == "stale" and await self._is_unfinished(record, turn, principal):
            standing = "may_decide"
        if standing == "expired" and record is not None:
            return await self.expire(record, click.at)
        if standing != "may_decide" or record is None:
            await self._turn_down(turn, principal, record, standing)
            return None
        decision = decision_of(turn, principal, click.at)
        if not await self.desk.runs.decide(record.run, decision):
            await self._turn_down(turn, principal, record, "stale")
            return None
        return await self._go_on(turn, record, decision)

    async def expire(self, record: RunRecord, now: datetime) -> RunStop | None:
        """Close a proposal past its time: its card says so, and nothing runs."""
        proposal = record.pending
        assert isinstance(proposal, Proposal)
        decision = Decision(kind="expire", by=PrincipalId("bot"), at=now, fingerprint=proposal.fingerprint)
        if not await self.desk.runs.decide(record.run, decision):
            return None
        await self.desk.audit.append(record.run, "expired", "bot", {"revision": proposal.revision})
        await self.desk.redraw(record, decided_card(proposal, decision))
        await self.desk.runs.update(replace(record, status="rejected"))
        await self.desk.driver.forget(ThreadKey(record.thread), record.run)
        return None

    async def _is_unfinished(self, record: RunRecord, turn: Turn, principal: Principal) -> bool:
        """Whether this very decision was recorded before a crash and its run has not come to rest since."""
        made = await self.desk.runs.decision(record.run)
        return (
            made is not None
            and turn.action is not None
            and record.status == RUNNING
            and made.by == principal.id
            and made.fingerprint == turn.action.fingerprint
            and made.kind == turn.action.verb
        )

    async def _go_on(self, turn: Turn, record: RunRecord, decision: Decision) -> RunStop:
        proposal = record.pending
        assert isinstance(proposal, Proposal)
        running = replace(record, status=RUNNING)
        await self.desk.runs.update(running)
        facts = {"kind": decision.kind, "fingerprint": decision.fingerprint, "revision": proposal.revision}
        await self.desk.audit.append(record.run, "decided", decision.by, facts)
        await self.desk.redraw(record, decided_card(proposal, decision))
        return await self.desk.drive(
            turn, running, lambda: self.desk.driver.decide(ThreadKey(record.thread), record.run, decision)
        )

    async def _turn_down(self, turn: Turn, principal: Principal, record: RunRecord | None, standing: Standing) -> None:
        locale = record.locale if record else principal.locale or self.desk.default_locale
        approvers = record.pending.approvers if record and isinstance(record.pending, Proposal) else ()
        text = stranger_notice(locale, approvers) if standing == "stranger" else stale_notice(locale)
        if record is not None:
            facts = {"standing": standing, "verb": turn.action.verb if turn.action else ""}
            await self.desk.audit.append(record.run, "turned_down", principal.id, facts)
        await self.desk.notify(turn, text)


def decision_of(turn: Turn, principal: Principal, at: datetime) -> Decision:
    """The decision a click stands for."""
    assert turn.action is not None
    kind = next(verb for verb in _VERBS if verb == turn.action.verb)
    return Decision(
        kind=kind,
        by=principal.id,
        at=at,
        fingerprint=turn.action.fingerprint,
        by_name=turn.author.display_name or principal.display_name or principal.id,
        text=turn.action.text,
    )
