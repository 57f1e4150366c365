"""Where the cards of schedules stand: in their conversation, with their owner, in front of who may approve them."""

from dataclasses import dataclass, replace

from agent.values.identity import PrincipalId, RunId
from agent.values.schedule import Schedule
from agent.values.turn import Place
from agent.values.views import Scheduled
from bot.audience.said import Said
from bot.run_desk import RunDesk
from bot.run_events import RunEvent
from bot.run_places import channel_of
from bot.schedules.views import ScheduleReader, granters_of
from bot.signers import MOST_ASKED, copy_slot
from cards.build.schedule import approval_card, closed_card, schedule_card
from cards.elements import Card
from cards.errors import DeliveryRefused
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulePosting:
    """Posts each card once. A schedule's cards are remembered under its id."""

    desk: RunDesk
    reader: ScheduleReader

    async def show(self, schedule: Schedule, place: Place, locale: Locale) -> None:
        """The schedule's own card, to whoever reads there or to its owner alone."""
        card = await self.own_card(schedule, locale)
        await self.tell(schedule, place, card, RunId(schedule.id), slot_of(schedule))

    async def own_card(self, schedule: Schedule, locale: Locale) -> Card:
        """As its owner reads it: the button that signs is theirs only where they may."""
        shown: Scheduled = await self.reader.shown(schedule, locale)
        granters = granters_of(schedule, self.desk.deps.policy_now())
        may_sign = any(person.id == schedule.owner for person in granters)
        return schedule_card(shown if may_sign else replace(shown, days=0), locale)

    async def tell(self, schedule: Schedule, place: Place, card: Card, run: RunId, slot: str) -> None:
        """Post the card in the conversation, unless its words name members that not everybody there may see."""
        standing = await self.desk.gate.standing(place, _named_by(schedule), schedule.owner)
        if standing != "here":
            await self._write(schedule.owner, card, run, copy_slot(slot, schedule.owner), place)
            return
        try:
            await self.desk.delivery.show(self.desk.channels[channel_of(place.thread)], place, run, slot, card)
        except DeliveryRefused:
            await self._write(schedule.owner, card, run, copy_slot(slot, schedule.owner), place)

    async def ask_granters(self, schedule: Schedule) -> None:
        """Everybody who may approve it, each alone, unless its owner may sign for it themselves."""
        granters = granters_of(schedule, self.desk.deps.policy_now())
        if any(person.id == schedule.owner for person in granters):
            return
        for person in granters[:MOST_ASKED]:
            locale = person.locale or schedule.locale
            card = approval_card(await self.reader.shown(schedule, locale), locale)
            copy = copy_slot(slot_of(schedule), person.id)
            await self._write(person.id, card, RunId(schedule.id), copy, schedule.place)

    async def close(self, schedule: Schedule, said: str) -> None:
        """Redraw every card of it, without buttons."""
        card = closed_card(await self.reader.shown(schedule, schedule.locale), said, schedule.locale)
        await self.desk.delivery.redraw(self.desk.channels, RunId(schedule.id), slot_of(schedule), card)

    async def note(self, schedule: Schedule, name: str, by: str, **facts: str) -> None:
        """Write what happened to it into the audit log."""
        at = self.desk.deps.clock.now().isoformat()
        told = {"owner": schedule.owner, "domain": schedule.domain, **facts}
        await self.desk.note(RunId(schedule.id), RunEvent(name=name, by=by, facts=told, once=f"{name}:{at}"))

    async def _write(self, to: PrincipalId, card: Card, run: RunId, slot: str, asked_at: Place) -> None:
        cards = self.desk.delivery.cards
        if await cards.get(run, slot):
            return
        posted = await self.desk.alone.people.write(to, channel_of(asked_at.thread), card, f"{run}:{slot}")
        if posted is not None:
            await cards.put(run, slot, *posted)


def slot_of(schedule: Schedule) -> str:
    """Under what name its cards are remembered: each time its approval is asked for they are new ones."""
    return f"schedule:{schedule.asked}"


def _named_by(schedule: Schedule) -> Said | None:
    """Its card names the members that it filters by, and its SQL shows them."""
    if not any(item.values for item in schedule.spec.filters):
        return None
    return Said(domain=schedule.domain, query=schedule.query, spec=schedule.spec)
