"""Delivery to the asker alone: the card where only they read it, a line without data where they asked."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from agent.ports import Clock, MemoryStore
from agent.state import RunState
from agent.values.identity import ChannelName, PrincipalId, RunId
from agent.values.outcome import Answer, NoData, Outcome, Proposal
from agent.values.turn import CardRef, Place
from bot.audience.gate import Standing
from bot.audience.ports import WithheldAnswers
from bot.delivery import Delivery, slot_of
from bot.memories import remember
from bot.people import People
from bot.ports import Channel
from bot.posting import Post
from bot.run_places import channel_of
from cards.build.audience import alone_card, apart_card
from cards.elements import Card
from cards.errors import DeliveryRefused

log = structlog.get_logger()


def apart_slot(slot: str) -> str:
    """Under what name the line is remembered that stands in the conversation instead of the slot's card."""
    return f"apart:{slot}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAlone:
    """Repeating it for the same outcome edits what was posted."""

    delivery: Delivery
    channels: Mapping[ChannelName, Channel]
    people: People
    withheld: WithheldAnswers
    memory: MemoryStore
    clock: Clock

    async def deliver(
        self,
        place: Place,
        progress: Post,
        outcome: Outcome,
        asker: PrincipalId,
        standing: Standing,
        state: RunState,
    ) -> bool:
        """Write to the asker; whether they were reached. What follows in their direct conversation knows the answer.

        An answer is kept, so that its asker can share it. Raises `DeliveryUnavailable`.
        """
        shareable = standing == "alone" and isinstance(outcome, Answer | NoData)
        if isinstance(outcome, Answer | NoData):
            await self.withheld.put(outcome, place)
        card = alone_card(await self.delivery.card_of(outcome), outcome.run, shareable=shareable)
        there = await self._write(outcome.run, slot_of(outcome), card, asker, place)
        key = "proposed_alone" if isinstance(outcome, Proposal) else "answered_alone"
        apart = apart_card(
            key if there else "not_reached", self._name(asker), outcome.run, outcome.locale, shareable=shareable
        )
        await self._say_apart(place, progress, outcome, apart)
        if there is None:
            return False
        await remember(outcome, {**state, "thread": there.thread}, self.memory, self.clock)
        channel = self.channels[channel_of(there.thread)]
        for attachment in card.attachments:
            await self.delivery.attach(channel, there, outcome.run, attachment)
        return True

    async def _write(self, run: RunId, slot: str, card: Card, asker: PrincipalId, asked_at: Place) -> Place | None:
        posted, key = await self.delivery.cards.get(run, slot), f"{run}:{slot}"
        if posted is not None:
            try:
                await self.channels[channel_of(posted[1].thread)].update(posted[1], posted[0], card)
            except DeliveryRefused:
                # Somebody deleted the message: the card is written anew.
                key = f"{key}:again"
            else:
                return posted[1]
        moved = await self._direct(asker, channel_of(asked_at.thread), card, key)
        if moved is None:
            return None
        await self.delivery.cards.put(run, slot, *moved)
        return moved[1]

    async def _direct(
        self, asker: PrincipalId, channel: ChannelName, card: Card, key: str
    ) -> tuple[CardRef, Place] | None:
        """Where the asker is reached first. An outage that passes is raised: the turn is tried again."""
        for user in await self.people.users_of(asker, channel):
            try:
                return await self.people.messages[user.channel].direct(user, card, f"{key}@{user.user_id}")
            except DeliveryRefused as error:
                log.warning("asker_not_reached", channel=user.channel, detail=error.detail)
        return None

    async def _say_apart(self, place: Place, progress: Post, outcome: Outcome, card: Card) -> None:
        """The progress message becomes the line, where there is one."""
        run, slot = outcome.run, apart_slot(slot_of(outcome))
        try:
            await self.delivery.show(self.channels[channel_of(place.thread)], place, run, slot, card, progress)
        except DeliveryRefused as error:
            # The conversation takes nothing any more; the asker has the answer.
            log.info("apart_not_said", detail=error.detail)

    def _name(self, asker: PrincipalId) -> str:
        known = self.people.policy.current().principal(asker)
        return (known.display_name if known else "") or asker
