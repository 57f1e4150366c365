"""What people do with schedules: make one, have it signed, list, pause, resume and delete."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from agent.policy.standing import may_grant
from agent.scheduling.recurrence import next_time
from agent.scheduling.words import ScheduleWish, read_wish
from agent.values.identity import ChannelName, Principal, RunId, TenantId
from agent.values.schedule import PauseReason, Schedule, ScheduleId
from agent.values.standing import StandingApproval
from agent.values.turn import ActionVerb, Place, Turn
from agent.values.views import Scheduled
from agent.wording.dates import instant
from agent.wording.texts import say
from bot.audience.said import Said
from bot.identifiers import run_id
from bot.ports import StandingStore
from bot.run_desk import RunDesk, place_of
from bot.run_events import BOT, RunEvent
from bot.run_places import channel_of
from bot.schedules.making import Making, NotScheduled, wish_of
from bot.schedules.ports import ScheduleStore
from bot.schedules.views import ScheduleReader, granters_of
from bot.signers import MOST_ASKED, copy_slot
from cards.build.commands import said_card
from cards.build.notices import stale_notice
from cards.build.phrases import either_of
from cards.build.schedule import approval_card, closed_card, schedule_card, schedules_card
from cards.elements import Card
from semantic_catalog.model import Locale

SLOT = "schedule"
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
    standing: StandingStore
    making: Making
    reader: ScheduleReader

    async def wish(self, turn: Turn, person: Principal, wish: ScheduleWish) -> None:
        """Make the schedule that a message asks for."""
        await self._made(turn, person, wish, wish.locale)

    async def press(self, turn: Turn, person: Principal) -> None:
        """The button of an answer, with when in its `text`; or a decision on a schedule that waits."""
        assert turn.action is not None
        locale = person.locale or turn.locale or self.desk.default_locale
        if turn.action.verb != "schedule":
            await self._decide(turn, person, locale)
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
                await self.store.delete(found.id)
                await self._end_approval(found)
                await self.note(found, "schedule_deleted", person.id)
                return said_card(say(locale, "schedule.deleted", title=found.title), locale)

    async def pause(self, schedule: Schedule, why: PauseReason, by: str) -> bool:
        """Stop it until somebody resumes it; whether it was not paused before."""
        if schedule.status == "paused":
            return False
        paused = await self.store.update(replace(schedule, status="paused", why=why), schedule.status)
        if paused:
            await self.note(schedule, "schedule_paused", by, why=why)
        return paused

    async def pause_tenant(self, channel: ChannelName, tenant: TenantId) -> int:
        """Stop everything of a workspace that removed the app; how many there were."""
        paused = [await self.pause(each, "uninstalled", BOT) for each in await self.store.of_tenant(channel, tenant)]
        return sum(paused)

    async def note(self, schedule: Schedule, name: str, by: str, **facts: str) -> None:
        """Write it into the audit log."""
        at = self.desk.deps.clock.now().isoformat()
        told = {"owner": schedule.owner, "domain": schedule.domain, **facts}
        await self.desk.note(RunId(schedule.id), RunEvent(name=name, by=by, facts=told, once=f"{name}:{at}"))

    async def _made(self, turn: Turn, person: Principal, wish: ScheduleWish, locale: Locale) -> None:
        made = await self.making.make(turn, person, wish, locale)
        if isinstance(made, NotScheduled):
            await self.desk.notify(turn, made.text)
            return
        once = "schedule_created"
        facts = {"owner": made.owner, "domain": made.domain, "every": made.recurrence.every, "tier": made.risk.tier}
        await self.desk.note(RunId(made.id), RunEvent(name=once, by=person.id, facts=facts, once=once))
        await self._show(made, turn, locale)
        if made.status == "waiting":
            await self._ask_granters(made)

    async def _show(self, schedule: Schedule, turn: Turn, locale: Locale) -> None:
        """In the conversation, unless its words name members that not everybody there may see."""
        place = place_of(turn)
        card = schedule_card(await self._own_view(schedule, locale), locale)
        standing = await self.desk.gate.standing(place, _names(schedule), schedule.owner)
        if standing == "here":
            await self.desk.delivery.show(self.desk.channel(turn), place, RunId(schedule.id), SLOT, card)
            return
        await self._write(schedule, copy_slot(SLOT, schedule.owner), schedule.owner, card, place)

    async def _ask_granters(self, schedule: Schedule) -> None:
        """Each alone, unless its owner may sign for it themselves."""
        granters = granters_of(schedule, self.desk.deps.policy_now())
        if any(person.id == schedule.owner for person in granters):
            return
        for person in granters[:MOST_ASKED]:
            locale = person.locale or schedule.locale
            card = approval_card(await self.reader.shown(schedule, locale), locale)
            await self._write(schedule, copy_slot(SLOT, person.id), person.id, card, schedule.place)

    async def _write(self, schedule: Schedule, slot: str, to: str, card: Card, asked_at: Place) -> None:
        cards, run = self.desk.delivery.cards, RunId(schedule.id)
        if await cards.get(run, slot):
            return
        person = self.desk.deps.principal(to)
        posted = await self.desk.alone.people.write(person.id, channel_of(asked_at.thread), card, f"{run}:{slot}")
        if posted is not None:
            await cards.put(run, slot, *posted)

    async def _decide(self, turn: Turn, person: Principal, locale: Locale) -> None:
        assert turn.action is not None
        schedule = await self.store.get(ScheduleId(turn.action.value))
        if schedule is None or schedule.status != "waiting":
            await self.desk.notify(turn, say(locale, "schedule.stale") if schedule else stale_notice(locale))
            return
        policy = self.desk.deps.policy_now()
        if not may_grant(policy, person, schedule.owner, schedule.domain, schedule.risk):
            await self.note(schedule, "schedule_turned_down", person.id)
            await self.desk.notify(turn, self._not_for_you(schedule, locale))
            return
        if turn.action.verb == "schedule_reject":
            await self._reject(schedule, person)
            return
        await self._approve(schedule, person, turn)

    async def _approve(self, schedule: Schedule, person: Principal, turn: Turn) -> None:
        now, days = self.desk.deps.clock.now(), self.reader.days(schedule)
        if not days:
            await self.desk.notify(turn, say(schedule.locale, "schedule.stale"))
            return
        approval = _approval(schedule, person, turn, now, days)
        started = replace(schedule, status="active", due_at=next_time(schedule.recurrence, now))
        if not await self.store.update(started, "waiting"):
            return
        await self.standing.add(approval)
        await self.note(schedule, "schedule_approved", person.id, until=approval.expires_at.isoformat())
        until = instant(approval.expires_at, schedule.recurrence.timezone, schedule.locale)
        said = say(schedule.locale, "schedule.approved", name=approval.granted_by_name, until=until)
        await self._close(started, said)

    async def _reject(self, schedule: Schedule, person: Principal) -> None:
        if await self.pause(schedule, "rejected", person.id):
            name = person.display_name or person.id
            await self._close(replace(schedule, status="paused"), say(schedule.locale, "schedule.rejected", name=name))

    async def _close(self, schedule: Schedule, said: str) -> None:
        """Redraw every card of it, without buttons."""
        card = closed_card(await self.reader.shown(schedule, schedule.locale), said, schedule.locale)
        await self.desk.delivery.redraw(self.desk.channels, RunId(schedule.id), SLOT, card)

    async def _resumed(self, schedule: Schedule, person: Principal, locale: Locale) -> Card:
        """It goes on from the next time; where its approval has ended meanwhile, it is asked for anew."""
        if schedule.status == "paused":
            now = self.desk.deps.clock.now()
            needs = bool(self.reader.days(schedule)) and await self.reader.approval(schedule) is None
            due = next_time(schedule.recurrence, now)
            again = replace(schedule, status="waiting" if needs else "active", why="", due_at=due)
            if await self.store.update(again, "paused"):
                await self.note(schedule, "schedule_resumed", person.id)
                schedule = again
        if schedule.status == "waiting":
            await self._ask_granters(schedule)
        return schedule_card(await self._own_view(schedule, locale), locale)

    async def _own_view(self, schedule: Schedule, locale: Locale) -> Scheduled:
        """As its owner reads it: the button that signs is theirs only where they may."""
        shown = await self.reader.shown(schedule, locale)
        granters = granters_of(schedule, self.desk.deps.policy_now())
        return shown if any(each.id == schedule.owner for each in granters) else replace(shown, days=0)

    async def _end_approval(self, schedule: Schedule) -> None:
        now = self.desk.deps.clock.now()
        approval = await self.standing.find(schedule.approval_kind, schedule.owner, now)
        if approval is not None:
            await self.standing.revoke(approval.id, now)

    def _not_for_you(self, schedule: Schedule, locale: Locale) -> str:
        granters = granters_of(schedule, self.desk.deps.policy_now())
        names = tuple(person.display_name or person.id for person in granters)
        if not names:
            return say(locale, "schedule.signed_nobody")
        return say(locale, "schedule.not_for_you", approvers=either_of(names, locale))


def _names(schedule: Schedule) -> Said | None:
    """Its card names the members that it filters by, and its SQL shows them."""
    if not any(item.values for item in schedule.spec.filters):
        return None
    return Said(domain=schedule.domain, query=schedule.query, spec=schedule.spec)


def _approval(schedule: Schedule, person: Principal, turn: Turn, now: datetime, days: int) -> StandingApproval:
    return StandingApproval(
        id=run_id(f"schedule:{turn.event_id}"),
        kind=schedule.approval_kind,
        domain=schedule.domain,
        asker=schedule.owner,
        granted_by=person.id,
        granted_by_name=person.display_name or person.id,
        granted_at=now,
        expires_at=now + timedelta(days=days),
        run=RunId(schedule.id),
        level=schedule.risk.level,
        title=schedule.title,
    )
