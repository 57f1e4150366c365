"""What people do with schedules: make one, list, pause, resume and delete."""

from dataclasses import dataclass, replace
from typing import Final

from agent.scheduling.recurrence import next_time
from agent.scheduling.words import ScheduleWish, read_wish
from agent.values.identity import ChannelName, Principal, RunId, TenantId
from agent.values.schedule import PauseReason, Schedule
from agent.values.turn import ActionVerb, Turn
from agent.values.views import Scheduled
from agent.wording.texts import say
from bot.run_desk import RunDesk, place_of
from bot.run_events import BOT, RunEvent
from bot.schedules.making import Making, NotScheduled, wish_of
from bot.schedules.ports import ScheduleStore
from bot.schedules.posting import SchedulePosting
from bot.schedules.signing import ScheduleSigning
from bot.schedules.views import ScheduleReader
from cards.build.commands import said_card
from cards.build.schedule import schedules_card
from cards.elements import Card
from semantic_catalog.model import Locale

SCHEDULE_VERBS: Final[tuple[ActionVerb, ...]] = ("schedule", "schedule_approve", "schedule_reject")


def wish_in(turn: Turn) -> ScheduleWish | None:
    """The wish that a message is; None for everything else."""
    is_message = turn.kind in ("message", "command") and turn.action is None and not turn.files
    return read_wish(turn.text) if is_message else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedules:
    """Everything but the runs themselves. Every change is in the audit log, under the schedule's id."""

    desk: RunDesk
    store: ScheduleStore
    making: Making
    reader: ScheduleReader
    posting: SchedulePosting
    signing: ScheduleSigning

    async def wish(self, turn: Turn, person: Principal, wish: ScheduleWish) -> None:
        """Make the schedule that a message asks for."""
        await self._made(turn, person, wish, wish.locale)

    async def press(self, turn: Turn, person: Principal) -> None:
        """The button of an answer, with when in its `text`; or a decision on a schedule that waits."""
        assert turn.action is not None
        locale = person.locale or turn.locale or self.desk.default_locale
        if turn.action.verb != "schedule":
            await self.signing.decide(turn, person, locale)
            return
        wish = wish_of(turn.action.text, locale)
        if wish is None:
            await self.desk.notify(turn, say(locale, "schedule.when_unclear"))
            return
        await self._made(turn, person, wish, locale)

    async def listed(self, person: Principal, locale: Locale) -> tuple[Scheduled, ...]:
        """The person's schedules, oldest first."""
        return tuple([await self.reader.shown(each, locale) for each in await self.store.of(person.id)])

    async def list_card(self, person: Principal, locale: Locale) -> Card:
        """The same as a card."""
        return schedules_card(await self.listed(person, locale), locale)

    async def order(self, name: str, which: str, person: Principal, locale: Locale) -> Card:
        """Pause, resume or delete one of the person's, by its number in the list or by its id."""
        own = await self.store.of(person.id)
        found = next((each for number, each in enumerate(own, start=1) if which in (str(number), each.id)), None)
        if found is None:
            return said_card(say(locale, "schedule.unknown"), locale)
        match name:
            case "schedule_pause":
                await self.pause(found, "owner", person.id)
                return said_card(say(locale, "schedule.paused", title=found.title), locale)
            case "schedule_resume":
                return await self._resumed(found, person, locale)
            case _:
                await self._delete(found, person)
                return said_card(say(locale, "schedule.deleted", title=found.title), locale)

    async def pause(self, schedule: Schedule, why: PauseReason, by: str) -> bool:
        """Stop it until somebody resumes it; whether it was not paused before."""
        if schedule.status == "paused":
            return False
        paused = await self.store.update(replace(schedule, status="paused", why=why), schedule.status)
        if paused:
            await self.posting.note(schedule, "schedule_paused", by, why=why)
        return paused

    async def pause_tenant(self, channel: ChannelName, tenant: TenantId) -> int:
        """Stop everything of a workspace that removed the app; how many there were."""
        paused = [await self.pause(each, "uninstalled", BOT) for each in await self.store.of_tenant(channel, tenant)]
        return sum(paused)

    async def _made(self, turn: Turn, person: Principal, wish: ScheduleWish, locale: Locale) -> None:
        made = await self.making.make(turn, person, wish, locale)
        if isinstance(made, NotScheduled):
            await self.desk.notify(turn, made.text)
            return
        facts = {"owner": made.owner, "domain": made.domain, "every": made.recurrence.every, "tier": made.risk.tier}
        event = RunEvent(name="schedule_created", by=person.id, facts=facts, once="schedule_created")
        await self.desk.note(RunId(made.id), event)
        await self.posting.show(made, place_of(turn), locale)
        if made.status == "waiting":
            await self.posting.ask_granters(made)

    async def _resumed(self, schedule: Schedule, person: Principal, locale: Locale) -> Card:
        """It goes on from the next time; where its approval has ended meanwhile, it is asked for anew."""
        if schedule.status == "paused":
            schedule = await self._started(schedule, person)
        if schedule.status == "waiting":
            await self.posting.ask_granters(schedule)
        return await self.posting.own_card(schedule, locale)

    async def _started(self, schedule: Schedule, person: Principal) -> Schedule:
        needs = bool(self.reader.days(schedule)) and await self.reader.approval(schedule) is None
        due = next_time(schedule.recurrence, self.desk.deps.clock.now())
        again = replace(schedule, status="active", why="", due_at=due)
        if needs:
            again = replace(again, status="waiting", asked=schedule.asked + 1)
        if not await self.store.update(again, "paused"):
            return schedule
        await self.posting.note(schedule, "schedule_resumed", person.id)
        return again

    async def _delete(self, schedule: Schedule, person: Principal) -> None:
        await self.store.delete(schedule.id)
        await self.signing.end(schedule)
        await self.posting.note(schedule, "schedule_deleted", person.id)
