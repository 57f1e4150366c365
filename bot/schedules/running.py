"""One run of a schedule: on behalf of its owner, under the policy of now, over the period of today."""

from dataclasses import dataclass, replace
from typing import Final

from agent.codec import encode
from agent.scheduling.rolling import rolled
from agent.state import RunState
from agent.values.budget import SCOPES
from agent.values.identity import Principal, RunId
from agent.values.meters import METERS
from agent.values.outcome import Refusal, RunRecord
from agent.values.schedule import PauseReason, Schedule
from agent.values.spec import Understanding
from agent.values.turn import Turn
from agent.wording.schedules import recurrence_said
from agent.wording.texts import say
from bot.audience.gate import asked_at
from bot.driver import RunStop
from bot.identifiers import run_id
from bot.people import People
from bot.run_desk import RunDesk, place_of
from bot.run_events import BOT, RunEvent
from bot.schedules.desk import Schedules
from bot.schedules.firing import schedule_of
from bot.schedules.ports import ScheduleStore
from bot.spending import spent_by
from bot.statuses import ENDED, RUNNING
from cards.build.commands import said_card

_PASSING: Final = frozenset(
    {"domain_paused", "groups_missing", *(f"budget_{scope}_{meter}" for scope in SCOPES for meter in METERS)}
)
"""Refusals that say nothing of the owner's rights: the schedule goes on the next time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledRuns:
    """Runs what is due. Handling the same turn again after a crash does nothing twice."""

    desk: RunDesk
    store: ScheduleStore
    schedules: Schedules
    people: People

    async def run(self, turn: Turn, person: Principal) -> RunStop | None:
        """Ask the schedule's question anew; None where it is no longer active, or its owner is gone."""
        schedule = await self.store.get(schedule_of(turn))
        if schedule is None or schedule.status != "active" or schedule.owner != person.id:
            return None
        if await self.people.is_gone(schedule.owner, turn.channel):
            await self._pause(schedule, "gone", turn)
            return None
        run = run_id(turn.event_id)
        known = await self.desk.runs.get(run)
        if known and known.status in ENDED and not await self.desk.driver.knows(turn.thread, run):
            return None
        stop = await self._driven(replace(turn, action=None), schedule, known)
        if isinstance(stop.outcome, Refusal) and stop.outcome.rule not in _PASSING:
            await self._pause(schedule, "refused", turn)
        return stop

    async def ownerless(self, turn: Turn) -> None:
        """The policy no longer knows the owner: nothing runs, now and from now on."""
        schedule = await self.store.get(schedule_of(turn))
        if schedule is not None:
            await self._pause(schedule, "gone", turn)

    async def _driven(self, turn: Turn, schedule: Schedule, known: RunRecord | None) -> RunStop:
        """No progress is shown: nobody waits, and an alert that has nothing to say says nothing."""
        record = known or await self._opened(turn, schedule)
        state = self._state(turn, schedule, record.run)
        spending = spent_by(record, turn.event_id, self.desk.deps)
        with self.desk.progress.unseen(record.run), asked_at(place_of(turn)), spending:
            stop = await self.desk.driver.start(turn.thread, record.run, state)
        await self.desk.settle(turn, record, stop)
        return stop

    async def _opened(self, turn: Turn, schedule: Schedule) -> RunRecord:
        record = RunRecord(
            run=run_id(turn.event_id),
            thread=turn.thread,
            asker=schedule.owner,
            status=RUNNING,
            question=schedule.title,
            locale=schedule.locale,
            created_at=turn.received_at,
        )
        await self.desk.runs.create(record)
        facts = {"thread": turn.thread, "schedule": schedule.id}
        await self.desk.note(record.run, RunEvent(name="asked", by=BOT, facts=facts, once="asked"))
        return record

    def _state(self, turn: Turn, schedule: Schedule, run: RunId) -> RunState:
        zone = schedule.spec.period.timezone if schedule.spec.period else schedule.recurrence.timezone
        spec = rolled(schedule.spec, self.desk.deps.clock.today(zone))
        meaning = Understanding(
            relation="independent_request",
            turn_type="new_query",
            language=schedule.locale,
            confidence=1.0,
            domain=spec.domain,
            spec=spec,
        )
        when = recurrence_said(schedule.recurrence, schedule.locale)
        return {
            "run": run,
            "thread": turn.thread,
            "asker": schedule.owner,
            "asker_name": schedule.owner_name,
            "text": schedule.title,
            "locale": schedule.locale,
            "chosen": encode(meaning),
            "about": "",
            "schedule": schedule.id,
            "sent_as": say(schedule.locale, "schedule.sent_as", when=when),
            "condition": encode(schedule.condition) if schedule.condition else None,
        }

    async def _pause(self, schedule: Schedule, why: PauseReason, turn: Turn) -> None:
        """Pause it and say so: where it was asked, else to its owner alone."""
        if not await self.schedules.pause(schedule, why, BOT):
            return
        text = say(schedule.locale, f"schedule.now_paused_{why}", title=schedule.title, owner=schedule.owner_name)
        card, run = said_card(text, schedule.locale), run_id(turn.event_id)
        await self.schedules.posting.tell(schedule, place_of(turn), card, run, f"paused:{why}")
