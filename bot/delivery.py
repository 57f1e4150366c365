"""From an outcome to a posted card, once: a redelivery edits what was posted."""

from dataclasses import dataclass

from agent.analysis.members import with_member_labels
from agent.ports import CatalogSource, Clock, ResultStore
from agent.values.identity import RunId
from agent.values.outcome import Answer, Clarification, Outcome, Proposal
from agent.values.turn import Place
from bot.answer_files import answer_files
from bot.ports import ArtifactStore, CardStore, Channel
from cards.build.outcome import outcome_card
from cards.elements import Attachment, Card


def slot_of(outcome: Outcome) -> str:
    """Under what name an outcome's posted card is remembered: one for each thing a run waits for, one for its end."""
    match outcome:
        case Proposal():
            return f"proposal:{outcome.revision}"
        case Clarification():
            return f"clarification:{outcome.round}"
        case _:
            return "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Builds cards and puts them where they belong."""

    clock: Clock
    catalog: CatalogSource
    results: ResultStore
    cards: CardStore
    artifacts: ArtifactStore

    async def deliver(self, channel: Channel, place: Place, progress_slot: str, outcome: Outcome) -> None:
        """Post the outcome's card, or turn the progress message into it, or edit it if it was posted before.

        Its files follow, each once.
        """
        card = await self._card(outcome)
        run, slot = outcome.run, slot_of(outcome)
        posted = await self.cards.get(run, slot) or await self.cards.get(run, progress_slot)
        if posted:
            await channel.update(place, posted[0], card)
            ref = posted[0]
        else:
            ref = await channel.post(place, card, f"{run}:{slot}")
        await self.cards.put(run, slot, ref, place)
        for attachment in card.attachments:
            await self._attach(channel, place, run, attachment)

    async def show(self, channel: Channel, place: Place, run: RunId, slot: str, card: Card) -> None:
        """Post a card under the slot, or edit the one already there."""
        posted = await self.cards.get(run, slot)
        if posted:
            await channel.update(place, posted[0], card)
        else:
            await self.cards.put(run, slot, await channel.post(place, card, f"{run}:{slot}"), place)

    async def redraw(self, channel: Channel, run: RunId, slot: str, card: Card) -> None:
        """Edit the card under the slot where it was posted; nothing when none was."""
        posted = await self.cards.get(run, slot)
        if posted:
            await channel.update(posted[1], posted[0], card)

    async def _attach(self, channel: Channel, place: Place, run: RunId, attachment: Attachment) -> None:
        slot = f"file:{attachment.key}"
        if await self.cards.get(run, slot):
            return
        ref = await channel.attach(place, run, attachment)
        await self.cards.put(run, slot, ref, place)

    async def _card(self, outcome: Outcome) -> Card:
        return await self._answer(outcome) if isinstance(outcome, Answer) else outcome_card(outcome)

    async def _answer(self, answer: Answer) -> Card:
        domain = self.catalog.current().domain(answer.query.domain)
        table = with_member_labels(await self.results.read(answer.result), domain, answer.locale)
        label = domain.names.in_locale(answer.locale)
        attachments = await answer_files(answer, table, label, self.clock.now())
        for attachment in attachments:
            await self.artifacts.put(answer.run, attachment)
        return outcome_card(answer, table, attachments)
