"""Messages: a new question, or the answer to one that was asked back."""

from dataclasses import dataclass, replace

from agent.pending import memory_of_pending
from agent.reading import today_of
from agent.state import RunState
from agent.understanding.taking_back import asks_to_undo
from agent.values.identity import Principal
from agent.values.memory import Question, ThreadMemory
from agent.values.outcome import Clarification, Proposal, RunRecord
from agent.values.turn import CardAction, Turn
from bot.driver import RunStop
from bot.identifiers import run_id
from bot.run_desk import RunDesk, run_of
from bot.run_events import RunEvent
from bot.statuses import ENDED, RUNNING
from cards.build.clarification import clarified_card
from cards.build.notices import stale_notice, stranger_choice_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Opens runs and answers clarifications."""

    desk: RunDesk

    async def message(self, turn: Turn, principal: Principal) -> RunStop | None:
        """A message answers the one clarification of its thread that waits for its author; else it opens a run."""
        answered = await self._question_answered_by(turn, principal)
        if answered is not None:
            return await self._answer(turn, answered, turn.text)
        return await self.ask(turn, principal, turn.text)

    async def ask(self, turn: Turn, principal: Principal, text: str) -> RunStop | None:
        """Open the turn's run (or go on with it) on `text`; nothing when it had ended and was delivered."""
        run = run_id(turn.event_id)
        known = await self.desk.runs.get(run)
        if known and known.status in ENDED and not await self.desk.driver.knows(turn.thread, run):
            return None
        record = known or await self._open(turn, principal, text)
        state: RunState = {
            "run": run,
            "thread": turn.thread,
            "asker": principal.id,
            "asker_name": turn.author.display_name,
            "text": text,
            "locale": turn.locale or principal.locale,
        }
        return await self.desk.drive(turn, record, lambda: self.desk.driver.start(turn.thread, run, state))

    async def as_change(self, turn: Turn, principal: Principal) -> Turn | None:
        """The message as a change of the one proposal that waits for its author, where it only makes sense as that."""
        waiting = [record for record in await self.desk.runs.waiting(turn.thread) if record.asker == principal.id]
        proposals = [record.pending for record in waiting if isinstance(record.pending, Proposal)]
        if turn.kind != "message" or len(waiting) != 1 or len(proposals) != 1:
            return None
        [proposal] = proposals
        if not asks_to_undo(turn.text) and not await self._changes(turn, principal, waiting[0], proposal):
            return None
        action = CardAction(
            verb="change",
            run=proposal.run,
            fingerprint=proposal.fingerprint,
            value=str(proposal.revision),
            text=turn.text,
        )
        return replace(turn, kind="decision", action=action)

    async def _changes(self, turn: Turn, principal: Principal, record: RunRecord, proposal: Proposal) -> bool:
        if proposal.spec is None:
            return False
        now = self.desk.deps.clock.now()
        pending = memory_of_pending(
            turn.thread, record.run, record.asker, record.question, proposal.spec, record.locale, now
        )
        today = today_of(self.desk.deps)
        question = Question(text=turn.text, locale=turn.locale, today=today, memory=pending, rules_only=True)
        meaning = await self.desk.deps.interpreter.interpret(question, principal)
        return meaning.relation == "analytical_follow_up" and meaning.spec is not None

    async def choice(self, turn: Turn, principal: Principal) -> RunStop | None:
        """A pressed option of a clarification; only its asker may choose."""
        assert turn.action is not None
        record = await self.desk.runs.get(run_of(turn))
        locale = record.locale if record else self.desk.default_locale
        if record is None or record.status != "needs_clarification":
            await self.desk.notify(turn, stale_notice(locale))
            return None
        if record.asker != principal.id:
            await self.desk.notify(turn, stranger_choice_notice(locale))
            return None
        return await self._answer(turn, record, turn.action.value)

    async def _open(self, turn: Turn, principal: Principal, text: str) -> RunRecord:
        record = RunRecord(
            run=run_id(turn.event_id),
            thread=turn.thread,
            asker=principal.id,
            status=RUNNING,
            question=text,
            locale=turn.locale or principal.locale or self.desk.default_locale,
            created_at=turn.received_at,
        )
        await self.desk.runs.create(record)
        event = RunEvent(name="asked", by=principal.id, facts={"thread": turn.thread}, once="asked")
        await self.desk.note(record.run, event)
        return record

    async def _question_answered_by(self, turn: Turn, principal: Principal) -> RunRecord | None:
        waiting = [
            record
            for record in await self.desk.runs.waiting(turn.thread)
            if record.status == "needs_clarification" and record.asker == principal.id
        ]
        if len(waiting) != 1 or await self._stands_alone(turn, principal):
            return None
        return waiting[0]

    async def _stands_alone(self, turn: Turn, principal: Principal) -> bool:
        """Whether the message means something without what was asked before."""
        alone = Question(
            text=turn.text,
            locale=turn.locale,
            today=today_of(self.desk.deps),
            memory=ThreadMemory(thread=turn.thread),
            rules_only=True,
        )
        meaning = await self.desk.deps.interpreter.interpret(alone, principal)
        return meaning.spec is not None or meaning.declined is not None or meaning.turn_type == "general"

    async def _answer(self, turn: Turn, record: RunRecord, value: str) -> RunStop:
        asked = record.pending
        assert isinstance(asked, Clarification)
        await self.desk.redraw(record, clarified_card(asked, value))
        return await self.desk.drive(
            turn,
            replace(record, status=RUNNING),
            lambda: self.desk.driver.clarify(turn.thread, record.run, value, asked.round),
        )
