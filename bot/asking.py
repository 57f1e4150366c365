"""Messages: a new question, or the answer to one that was asked back."""

from dataclasses import dataclass, replace

from agent.codec import encode
from agent.reading import today_of
from agent.state import RunState
from agent.understanding.earlier import as_seen_by
from agent.understanding.options import MOST_OPTIONS
from agent.values.identity import Principal, RunId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from agent.values.outcome import Clarification, Proposal, RunRecord
from agent.values.spec import Option, Understanding
from agent.values.turn import Turn
from agent.wording.texts import say
from bot.aiming import NEW_QUESTION, Aim, change_of, is_choice_of_proposal
from bot.delivery import slot_of
from bot.driver import RunStop
from bot.identifiers import run_id
from bot.personal import chosen_meaning, told_apart
from bot.run_desk import RunDesk, run_of
from bot.run_events import RunEvent
from bot.statuses import ENDED, RUNNING
from cards.build.clarification import clarified_card
from cards.build.notices import stale_notice, stranger_choice_notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Opens runs and answers clarifications."""

    desk: RunDesk

    async def message(self, turn: Turn, principal: Principal, waiting: tuple[RunRecord, ...]) -> RunStop | None:
        """A message answers the one clarification of its thread that waits for its author; else it opens a run."""
        answered = await self._question_answered_by(turn, principal, waiting)
        if answered is not None:
            return await self._answer(turn, answered, turn.text)
        return await self.ask(turn, principal, turn.text)

    async def ask(
        self, turn: Turn, principal: Principal, text: str, chosen: Understanding | None = None, about: str = ""
    ) -> RunStop | None:
        """Open the turn's run (or go on with it) on `text`; nothing when it had ended and was delivered.

        `chosen` is a meaning that needs no reading, and `about` the answered run that it goes on from.
        """
        run = run_id(turn.event_id)
        known = await self.desk.runs.get(run)
        if known and known.status in ENDED and not await self.desk.driver.knows(turn.thread, run):
            await self._close_unseen(turn, known)
            return None
        record = known or await self._open(turn, principal, text)
        state: RunState = {
            "run": run,
            "thread": turn.thread,
            "asker": principal.id,
            "asker_name": turn.author.display_name,
            "text": text,
            "locale": turn.locale or principal.locale,
            **({"chosen": encode(chosen), "about": about} if chosen else {}),
        }
        return await self.desk.drive(
            turn, record, lambda: self.desk.driver.start(turn.thread, run, state, is_new=known is None)
        )

    async def which_proposal(self, turn: Turn, principal: Principal, aims: tuple[Aim, ...]) -> RunStop:
        """Ask which of several waiting proposals the message is about."""
        record = await self._open(turn, principal, turn.text)
        stop = RunStop(outcome=_which(record, aims), state={"run": record.run, "thread": turn.thread})
        await self.desk.settle(turn, record, stop)
        return stop

    async def chosen_change(self, turn: Turn, principal: Principal) -> Turn | None:
        """The message that was in doubt, as a change of the proposal chosen now; None for every other choice."""
        assert turn.action is not None
        record = await self.desk.runs.get(run_of(turn))
        if record is None or record.asker != principal.id or not is_choice_of_proposal(record):
            return None
        if record.status != "needs_clarification":
            return None
        chosen = await self.desk.runs.get(RunId(turn.action.value))
        if chosen is None or not isinstance(chosen.pending, Proposal):
            return None
        return change_of(turn, chosen.pending, record.question)

    async def close_choice(self, turn: Turn) -> None:
        """Keep what was chosen on the card that asked which proposal was meant; once what was chosen is done."""
        record = await self.desk.runs.get(run_of(turn))
        if record is not None and turn.action is not None:
            await self._close(record, turn.action.value)

    async def _close_unseen(self, turn: Turn, record: RunRecord) -> None:
        """Of a question that was taken back before this turn, cut short, had posted what it was to wait for."""
        if record.status != "rejected" or record.pending is None:
            return
        if await self.desk.delivery.cards.get(record.run, slot_of(record.pending)) is None:
            await self.desk.close_unseen(turn, record.pending)

    async def _close(self, record: RunRecord, value: str) -> None:
        assert isinstance(record.pending, Clarification)
        await self.desk.redraw(record, clarified_card(record.pending, value))
        await self.desk.runs.update(replace(record, status="answered"))

    async def choice(self, turn: Turn, principal: Principal) -> RunStop | None:
        """A pressed option of a clarification; only its asker may choose."""
        assert turn.action is not None
        record = await self.desk.runs.get(run_of(turn))
        locale = record.locale if record else self.desk.default_locale
        if record is not None and record.moved_by == turn.event_id:
            return await self.go_on(turn, record)
        if record is None or record.status != "needs_clarification":
            await self.desk.notify(turn, stale_notice(locale))
            return None
        if record.asker != principal.id:
            await self.desk.notify(turn, stranger_choice_notice(locale))
            return None
        if is_choice_of_proposal(record):
            stop = await self.ask(turn, principal, record.question)
            await self._close(record, turn.action.value)
            return stop
        return await self._answer(turn, record, turn.action.value)

    async def go_on(self, turn: Turn, record: RunRecord) -> RunStop | None:
        """Settle a run again that the turn had moved before it was cut short; nothing when all of it was delivered."""
        thread, run = ThreadKey(record.thread), record.run
        if record.status == RUNNING or not await self.desk.driver.knows(thread, run):
            return None
        return await self.desk.drive(turn, record, lambda: self.desk.driver.go_on(thread, run))

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

    async def _question_answered_by(
        self, turn: Turn, principal: Principal, waiting: tuple[RunRecord, ...]
    ) -> RunRecord | None:
        asked = [
            record
            for record in waiting
            if record.status == "needs_clarification" and record.asker == principal.id
            if not is_choice_of_proposal(record)
        ]
        if len(asked) != 1 or await self._stands_alone(turn, principal):
            return None
        return asked[0]

    async def _stands_alone(self, turn: Turn, principal: Principal) -> bool:
        """Whether the message means something without what was asked back: by itself, or about what was answered."""
        alone = Question(
            text=turn.text,
            locale=turn.locale,
            today=today_of(self.desk.deps),
            memory=ThreadMemory(thread=turn.thread),
            rules_only=True,
            personal=await self.desk.deps.personal.of(principal.id, self.desk.deps.clock.now()),
        )
        meaning = await self.desk.deps.interpreter.interpret(alone, principal)
        if meaning.spec is not None or meaning.declined is not None or meaning.turn_type == "general":
            return True
        memory = as_seen_by(await self.desk.deps.memory.load(turn.thread), principal.id)
        meaning = await self.desk.deps.interpreter.interpret(replace(alone, memory=memory), principal)
        return meaning.turn_type in ("discuss", "viz_change") or meaning.relation == "session_reference"

    async def _answer(self, turn: Turn, record: RunRecord, value: str) -> RunStop:
        asked = record.pending
        assert isinstance(asked, Clarification)
        await self.desk.redraw(record, clarified_card(asked, value))
        settled = told_apart(record.settled, (chosen_meaning(asked, value),))
        return await self.desk.drive(
            turn,
            replace(record, status=RUNNING, settled=settled, moved_by=turn.event_id),
            lambda: self.desk.driver.clarify(turn.thread, record.run, value, asked.round),
        )


def _which(record: RunRecord, aims: tuple[Aim, ...]) -> Clarification:
    """Which of the waiting questions is to change, or whether it is a new one."""
    locale = record.locale
    waiting = [Option(label=a.proposal.receipt.title, value=a.record.run) for a in aims[: MOST_OPTIONS - 1]]
    new = Option(label=say(locale, "clarify.new_question"), value=NEW_QUESTION)
    return Clarification(
        run=record.run,
        locale=locale,
        slot="relation",
        question=say(locale, "clarify.relation_ambiguous_question", words=record.question),
        reason=say(locale, "clarify.relation_ambiguous_why", words=record.question),
        options=(*waiting, new),
    )
