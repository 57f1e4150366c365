"""What is due becomes a turn in the inbox: once for each schedule and time, however many processes look."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from agent.ports import Clock
from agent.scheduling.recurrence import next_time
from agent.values.identity import ChannelName
from agent.values.schedule import Schedule, ScheduleId
from agent.values.turn import CardAction, Turn
from bot.inbox import Inbox
from bot.schedules.ports import DueSchedules

LOOK_AT: Final = "* * * * *"
"""Every minute."""

_AT_ONCE: Final = 200

log = structlog.get_logger()


def scheduled_turn(schedule: Schedule, now: datetime) -> Turn:
    """The turn of the time that is due. The same time always is the same event."""
    due = schedule.due_at.isoformat()
    return Turn(
        event_id=f"schedule:{schedule.id}:{due}",
        channel=schedule.user.channel,
        tenant=schedule.user.tenant,
        thread=schedule.place.thread,
        author=schedule.user,
        audience=schedule.audience,
        kind="feedback",
        received_at=now,
        action=CardAction(verb="run_schedule", value=schedule.id),
        locale=schedule.locale,
        address=schedule.place.address,
    )


def is_scheduled(turn: Turn) -> bool:
    """Whether a schedule asks, and nobody."""
    return turn.action is not None and turn.action.verb == "run_schedule"


def schedule_of(turn: Turn) -> ScheduleId:
    """Which schedule the turn runs."""
    assert turn.action is not None
    return ScheduleId(turn.action.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """Times that passed while nobody looked are made up for by one turn."""

    store: DueSchedules
    inbox: Inbox
    clock: Clock
    channels: Collection[ChannelName]

    async def fire(self) -> int:
        """Put the turns of everything that is due into the inbox; how many this process put.

        A turn is stored before its schedule moves on: after a crash in between it is put again, and the inbox knows
        it. Raises `StoreUnavailable`.
        """
        now, fired = self.clock.now(), 0
        for schedule in await self.store.due(now, self.channels, _AT_ONCE):
            fired += await self.inbox.put(scheduled_turn(schedule, now))
            await self.store.advance(schedule, next_time(schedule.recurrence, now))
        if fired:
            log.info("schedules_fired", count=fired)
        return fired
