"""From a turn to what the thread gets back: who speaks, what they want, and what to say when it fails."""

from dataclasses import dataclass

import structlog

from agent.errors import WarehouseBusy
from agent.policy.resolve import resolve
from agent.values.identity import Principal
from agent.values.outcome import RunRecord
from agent.values.turn import Turn
from bot.access import AccessRequests
from bot.aiming import aims_of, change_again, change_of, is_choice_of_proposal
from bot.asking import Asking
from bot.audience.sharing import Sharing
from bot.chat_commands.desk import Commands
from bot.chat_commands.words import command_of
from bot.deciding import Deciding
from bot.driver import RunStop
from bot.failures import TRIED_AGAIN, groups_missing, outcome_of, unknown_person
from bot.feedback import Feedback
from bot.files.desk import FILE_VERBS, ThreadFiles
from bot.files.scope import in_scope
from bot.identifiers import run_id
from bot.memberships import GroupedPolicy
from bot.operating.watch import TurnWatch
from bot.ports import RunLists
from bot.run_desk import RunDesk, run_of
from bot.schedules.desk import SCHEDULE_VERBS, Schedules, wish_in
from bot.schedules.firing import is_scheduled
from bot.schedules.running import ScheduledRuns
from bot.switchboard import Switchboard
from bot.waiting.notices import QueueNotices
from cards.build.notices import groups_missing_notice, stranger_cancel_notice, unknown_person_notice
from cards.errors import DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRunner:
    """Handles one turn; handling it again after a crash does nothing twice."""

    watch: TurnWatch
    desk: RunDesk
    lists: RunLists
    asking: Asking
    deciding: Deciding
    feedback: Feedback
    people: GroupedPolicy
    files: ThreadFiles
    access: AccessRequests
    sharing: Sharing
    schedules: Schedules
    scheduled: ScheduledRuns
    commands: Commands
    switchboard: Switchboard
    queue: QueueNotices

    async def handle(self, turn: Turn) -> RunStop | None:
        """Do what the turn asks. Returns where its run stands; None when it moved no run.

        Every error becomes a card. Those of `TRIED_AGAIN` are raised again, for the inbox to repeat the turn: its run
        stays open and goes on from there.
        """
        with self.watch.handling(turn) as handled:
            try:
                handled.stop = await self._dispatch(turn)
            except Exception as error:  # noqa: BLE001  # the one place where any error becomes a card
                handled.stop = await self._fail(turn, error)
            return handled.stop

    async def _dispatch(self, turn: Turn) -> RunStop | None:
        await self.switchboard.look()
        answered = await self.people.know(turn.author, fresh=turn.kind == "decision" or is_scheduled(turn))
        principal = resolve(self.desk.deps.policy_now(), turn.author)
        if is_scheduled(turn) and not answered:
            # What its owner may see is not known now: nothing is asked, and nothing is paused by an outage.
            log.warning("schedule_not_run", reason="groups_unavailable")
            return None
        if principal is None:
            return await self._refuse(turn, answered=answered)
        if not answered:
            await self._say_groups_are_missing(turn)
        with in_scope(await self.files.scope_of(turn, principal.id)):
            return await self._handle(turn, self.desk.deps.principal(principal.id))

    async def _handle(self, turn: Turn, principal: Principal) -> RunStop | None:
        command = command_of(turn)
        if command is not None:
            return await self.commands.handle(command, turn, principal)
        wish = wish_in(turn)
        if wish is not None:
            await self.schedules.wish(turn, principal, wish)
            return None
        match turn.kind:
            case "message" | "command" | "file":
                if await self.files.takes(turn, principal):
                    return None
                return await self._say(turn, principal)
            case "choice":
                return await self._choose(turn, principal)
            case "decision":
                return await self._decide(turn, principal)
            case "cancel":
                return await self._cancel(turn, principal)
            case "feedback":
                return await self._press(turn, principal)

    async def _choose(self, turn: Turn, principal: Principal) -> RunStop | None:
        """An option of a clarification, or the proposal that a message in doubt is about."""
        change = await self.asking.chosen_change(turn, principal)
        if change is None:
            return await self.asking.choice(turn, principal)
        stop = await self._decide(change, principal)
        await self.asking.close_choice(turn)
        return stop

    async def _say(self, turn: Turn, principal: Principal) -> RunStop | None:
        """A message changes the waiting proposal it is about; it is asked which where it may be several."""
        begun = await self.lists.begun_by(turn.event_id, run_id(turn.event_id))
        if begun is not None and not is_choice_of_proposal(begun):
            return await self._go_on(turn, principal, begun)
        waiting = await self.desk.runs.waiting(turn.thread)
        aims = await aims_of(turn, principal, self.desk, waiting)
        if len(aims) == 1:
            return await self._decide(change_of(turn, aims[0].proposal, turn.text), principal)
        if aims:
            return await self.asking.which_proposal(turn, principal, aims)
        return await self.asking.message(turn, principal, waiting)

    async def _go_on(self, turn: Turn, principal: Principal, begun: RunRecord) -> RunStop | None:
        """What a message had begun before it was cut short: its own question, an answer to one, or a change."""
        if begun.run == run_id(turn.event_id):
            return await self.asking.ask(turn, principal, turn.text)
        if begun.moved_by == turn.event_id:
            return await self.asking.go_on(turn, begun)
        return await self._decide(change_again(turn, begun), principal)

    async def _press(self, turn: Turn, principal: Principal) -> RunStop | None:
        """A button that decides nothing. The question that came with a file is asked once its reading is confirmed."""
        if turn.action and turn.action.verb == "request_access":
            await self.access.ask(turn, principal)
            return None
        if turn.action and turn.action.verb == "share":
            await self.sharing.share(turn, principal)
            return None
        if turn.action and turn.action.verb in SCHEDULE_VERBS:
            await self.schedules.press(turn, principal)
            return None
        if is_scheduled(turn):
            return await self.scheduled.run(turn, principal)
        if turn.action is None or turn.action.verb not in FILE_VERBS:
            return await self.feedback.handle(turn, principal)
        question = await self.files.press(turn, principal)
        if not question:
            return None
        with in_scope(await self.files.scope(turn.thread, principal.id)):
            return await self.asking.ask(turn, self.desk.deps.principal(principal.id), question)

    async def _decide(self, turn: Turn, principal: Principal) -> RunStop | None:
        """Decide with the asker's groups of now: what they lost since must not be read for them."""
        if self.people.names_groups():
            record = await self.desk.runs.get(run_of(turn))
            if record is not None and record.asker != principal.id:
                await self.people.know_again(record.asker, fresh=True)
        return await self.deciding.decide(turn, principal)

    async def _say_groups_are_missing(self, turn: Turn) -> None:
        # The shell has no directory of groups at all; there the log says it.
        if turn.channel != "console" and turn.kind in ("message", "command", "file"):
            await self.desk.notify(turn, groups_missing_notice(turn.locale or self.desk.default_locale))

    async def _refuse(self, turn: Turn, *, answered: bool) -> RunStop | None:
        """No principal, no data. Not `answered`: nobody can say who is in the groups that the policy names."""
        locale, user = turn.locale or self.desk.default_locale, turn.author.user_id
        if turn.action and turn.action.verb == "request_access":
            await self.access.ask(turn, None)
            return None
        if is_scheduled(turn):
            await self.scheduled.ownerless(turn)
            return None
        if turn.action is not None:
            await self.desk.notify(
                turn, unknown_person_notice(locale, user) if answered else groups_missing_notice(locale)
            )
            return None
        refusal = unknown_person(run_of(turn), locale, user) if answered else groups_missing(run_of(turn), locale)
        await self.desk.tell(turn, refusal)
        return RunStop(outcome=refusal, state={"run": refusal.run, "thread": turn.thread})

    async def _cancel(self, turn: Turn, principal: Principal) -> RunStop | None:
        """Stop a running query, or withdraw a proposal, or take back what still waits; only its asker may."""
        record = await self.desk.runs.get(run_of(turn))
        if record is None and await self.queue.withdraw(turn):
            return None
        if record is None or record.asker != principal.id:
            await self.desk.notify(turn, stranger_cancel_notice(record.locale if record else self.desk.default_locale))
            return None
        if record.status == "awaiting_approval":
            return await self.deciding.decide(turn, principal)
        await self.commands.threads.stopping.stop(record)
        return None

    async def _fail(self, turn: Turn, error: Exception) -> RunStop | None:
        run = run_of(turn)
        record = await self.desk.runs.get(run)
        locale: Locale = record.locale if record else turn.locale or self.desk.default_locale
        if isinstance(error, WarehouseBusy):
            # Nothing is wrong: it waits its turn, and its thread is told so where it takes longer.
            raise error
        outcome = outcome_of(error, run, locale, self.desk.deps.clock.now())
        if isinstance(error, TRIED_AGAIN):
            await self.desk.delay(turn, outcome, can_be_told=not isinstance(error, DeliveryUnavailable))
            raise error
        await self.desk.tell(turn, outcome)
        return RunStop(outcome=outcome, state={"run": run, "thread": turn.thread})
