"""Decisions on proposals: by the right person, once, on exactly what was shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from agent.budgeting import query_overrun, refusal_over
from agent.values.budget import Overrun
from agent.values.governance import Decision
from agent.values.identity import Principal, PrincipalId, ThreadKey
from agent.values.outcome import Proposal, Refusal, RunRecord
from agent.values.turn import ActionVerb, Turn
from agent.wording.budgets import budget_warning
from agent.wording.texts import say
from bot.authority import Click, Standing, standing_of
from bot.driver import RunStop
from bot.run_desk import RunDesk, run_of
from bot.run_events import BOT, RunEvent
from bot.run_places import channel_of
from bot.standing import StandingApprovals
from bot.statuses import RUNNING
from cards.build.access import access_button
from cards.build.decided import decided_card, outdated_card
from cards.build.notices import stale_notice, standing_notice, stranger_notice
from cards.build.proposal import proposal_card
from semantic_catalog.model import Locale

DecisionKind = Literal["approve", "reject", "change", "cancel"]
_KINDS: Mapping[ActionVerb, DecisionKind] = {
    "approve": "approve",
    "approve_always": "approve",
    "reject": "reject",
    "change": "change",
    "cancel": "cancel",
}
_APPROVALS: tuple[ActionVerb, ...] = ("approve", "approve_always")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """Records decisions and lets their runs go on."""

    desk: RunDesk
    standing: StandingApprovals

    async def decide(self, turn: Turn, principal: Principal) -> RunStop | None:
        """Decide the proposal the button belongs to; a stranger's or a stale click gets a private notice instead.

        Handling the same turn again, after a crash or an outage, goes on with the decision it made.
        """
        assert turn.action is not None
        record = await self.desk.runs.get(run_of(turn))
        made = await self._made_by(turn, record)
        if record is not None and made is not None:
            return await self._resume(turn, record, made)
        click = Click(action=turn.action, principal=principal, at=self.desk.deps.clock.now())
        standing = standing_of(click, record, self.desk.deps.policy_now())
        if standing == "expired" and record is not None:
            return await self.expire(record, click.at)
        if standing != "may_decide" or record is None:
            await self._turn_down(turn, principal, record, standing)
            return None
        if await self._asker_is_gone(turn, principal, record):
            return None
        over = await self._over_budget(turn.action.verb, record)
        if over is not None:
            return await self._leave_open(turn, principal, record, over)
        decision = decision_of(turn, principal, click.at, record.revision)
        if not await self.desk.runs.decide(record.run, decision):
            await self._turn_down(turn, principal, record, "stale")
            return None
        return await self._go_on(turn, record, decision)

    async def expire(self, record: RunRecord, now: datetime) -> RunStop | None:
        """Close a proposal past its time: its card says so, and nothing runs."""
        proposal = record.pending
        assert isinstance(proposal, Proposal)
        decision = Decision(
            kind="expire", by=PrincipalId(BOT), at=now, fingerprint=proposal.fingerprint, revision=proposal.revision
        )
        await self.close(record, decision)
        return None

    async def close(self, record: RunRecord, decision: Decision, *, redrawn: bool = True) -> bool:
        """End an open proposal without going on: nothing runs. False when it was decided meanwhile.

        `decision` expires it or cancels it, by whoever may do that. Without `redrawn` its card stays as it is.
        """
        proposal = record.pending
        assert isinstance(proposal, Proposal)
        if not await self.desk.runs.decide(record.run, decision):
            return False
        facts = {"fingerprint": proposal.fingerprint, "revision": proposal.revision}
        name = "expired" if decision.kind == "expire" else "cancelled"
        await self.desk.note(record.run, RunEvent(name=name, by=decision.by, facts=facts, once="end"))
        if redrawn:
            await self.desk.redraw(record, decided_card(proposal, decision))
        await self.desk.runs.update(replace(record, status="rejected"))
        await self.desk.driver.forget(ThreadKey(record.thread), record.run)
        return True

    async def _made_by(self, turn: Turn, record: RunRecord | None) -> Decision | None:
        """The decision that this very turn recorded before it was cut short."""
        made = await self.desk.runs.decision(record.run) if record else None
        return made if made and made.event == turn.event_id else None

    async def _resume(self, turn: Turn, record: RunRecord, made: Decision) -> RunStop | None:
        if not await self.desk.driver.knows(ThreadKey(record.thread), record.run):
            return None
        moved_on = not isinstance(record.pending, Proposal) or record.revision != made.revision
        return await self._drive(turn, record, made) if moved_on else await self._go_on(turn, record, made)

    async def _go_on(self, turn: Turn, record: RunRecord, decision: Decision) -> RunStop:
        proposal = record.pending
        assert isinstance(proposal, Proposal)
        running = replace(record, status=RUNNING)
        await self.desk.runs.update(running)
        await self._note(record, proposal, decision)
        await self.desk.close_card(turn, record, decision)
        if decision.standing:
            await self.standing.grant(proposal, decision)
        stop = await self._drive(turn, running, decision)
        if decision.kind == "approve" and isinstance(stop.outcome, Refusal):
            await self.desk.redraw(record, outdated_card(proposal, decision, stop.outcome.message))
        return stop

    async def _drive(self, turn: Turn, record: RunRecord, decision: Decision) -> RunStop:
        thread, run = ThreadKey(record.thread), record.run
        return await self.desk.drive(turn, record, lambda: self.desk.driver.decide(thread, run, decision))

    async def _note(self, record: RunRecord, proposal: Proposal, decision: Decision) -> None:
        facts = {"kind": decision.kind, "fingerprint": decision.fingerprint, "revision": proposal.revision}
        once = f"decided:{proposal.revision}"
        await self.desk.note(record.run, RunEvent(name="decided", by=decision.by, facts=facts, once=once))
        if decision.kind == "change":
            facts = {"revision": proposal.revision}
            once = f"superseded:{proposal.revision}"
            await self.desk.note(record.run, RunEvent(name="superseded", by=decision.by, facts=facts, once=once))

    async def _asker_is_gone(self, turn: Turn, principal: Principal, record: RunRecord) -> bool:
        """Whether somebody would sign for a person whom the platform has deactivated since; they are told."""
        if turn.action is None or turn.action.verb not in _APPROVALS or principal.id == record.asker:
            return False
        if not await self.desk.signers.people.is_gone(record.asker, channel_of(record.thread)):
            return False
        event = RunEvent(
            name="turned_down", by=principal.id, facts={"standing": "asker_gone"}, once=f"turned_down:{turn.event_id}"
        )
        await self.desk.note(record.run, event)
        await self.desk.notify(turn, say(record.locale, "dialog.asker_gone"))
        return True

    async def has_room(self, verb: ActionVerb, record: RunRecord) -> bool:
        """Whether the day's budget has room for what the click would have run."""
        return await self._over_budget(verb, record) is None

    async def _over_budget(self, verb: ActionVerb, record: RunRecord) -> Overrun | None:
        """The limit that the query would not fit, where the click would have it run."""
        if verb not in _APPROVALS or not isinstance(record.pending, Proposal):
            return None
        return await query_overrun(record.pending, record.thread, self.desk.deps)

    async def _leave_open(self, turn: Turn, principal: Principal, record: RunRecord, over: Overrun) -> RunStop:
        """Refuse the click and keep the proposal: it can be approved once the budget has room again."""
        assert isinstance(record.pending, Proposal)
        self.desk.deps.measures.limited(over.limit_name)
        facts = {"rule": over.rule, "revision": record.revision}
        event = RunEvent(name="refused", by=principal.id, facts=facts, once=f"over_budget:{turn.event_id}")
        await self.desk.note(record.run, event)
        proposal = replace(record.pending, budget_warning=budget_warning(over, record.locale))
        if await self.desk.runs.get(record.run) == record:
            await self.desk.redraw(record, proposal_card(proposal))
        refusal = refusal_over(over, record.run, record.locale)
        await self.desk.notify(turn, budget_warning(over, principal.locale or record.locale))
        return RunStop(outcome=refusal, state={"run": record.run, "thread": record.thread})

    async def _turn_down(self, turn: Turn, principal: Principal, record: RunRecord | None, standing: Standing) -> None:
        locale = record.locale if record else principal.locale or self.desk.default_locale
        if record is not None:
            facts = {"standing": standing, "verb": turn.action.verb if turn.action else ""}
            once = f"turned_down:{turn.event_id}"
            event = RunEvent(name="turned_down", by=principal.id, facts=facts, once=once)
            await self.desk.note(record.run, event)
        offers = (access_button(record.run, locale),) if record is not None and standing == "stranger" else ()
        await self.desk.notify(turn, turned_down_notice(standing, record, locale), offers)


def turned_down_notice(standing: Standing, record: RunRecord | None, locale: Locale) -> str:
    """Why a click on a proposal did nothing, for the person who clicked."""
    approvers = record.pending.approvers if record and isinstance(record.pending, Proposal) else ()
    match standing:
        case "stranger":
            return stranger_notice(locale, approvers)
        case "not_for_kinds":
            return standing_notice(locale)
        case _:
            return stale_notice(locale)


def decision_of(turn: Turn, principal: Principal, at: datetime, revision: int) -> Decision:
    """The decision a click on that revision stands for."""
    assert turn.action is not None
    return Decision(
        kind=_KINDS[turn.action.verb],
        by=principal.id,
        at=at,
        fingerprint=turn.action.fingerprint,
        by_name=turn.author.display_name or principal.display_name or principal.id,
        text=turn.action.text,
        quick=turn.action.quick,
        revision=revision,
        event=turn.event_id,
        standing=turn.action.verb == "approve_always",
    )
