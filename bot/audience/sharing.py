"""'Share here': an answer that stood with its asker alone, put where they asked by their own hand."""

from dataclasses import dataclass, replace

from agent.values.identity import Principal, RunId
from agent.values.outcome import Answer, NoData, Outcome, RunRecord
from agent.values.turn import Place, Turn
from agent.wording.texts import say
from bot.audience.alone import apart_slot
from bot.audience.gate import AudienceGate
from bot.audience.ports import WithheldAnswers
from bot.delivery import slot_of
from bot.run_desk import RunDesk, run_of
from bot.run_events import RunEvent
from bot.run_places import channel_of
from cards.build.audience import shared_card
from cards.build.phrases import small
from semantic_catalog.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Shares once; the policy and the conversation of now decide. Every share is in the audit log."""

    desk: RunDesk
    gate: AudienceGate
    withheld: WithheldAnswers

    async def share(self, turn: Turn, person: Principal) -> None:
        """Put the answer into its conversation; the person alone learns why not, where it cannot be."""
        run, locale = run_of(turn), person.locale or self.desk.default_locale
        record, kept = await self.desk.runs.get(run), await self.withheld.get(run)
        if record is None or kept is None:
            await self.desk.notify(turn, say(locale, "audience.gone"))
            return
        outcome, place = kept
        if record.asker != person.id:
            await self.desk.notify(turn, say(locale, "audience.not_yours"))
            return
        if not await self._is_allowed(outcome, place):
            await self._note(run, person, "share_refused", place)
            await self.desk.notify(turn, say(locale, "audience.not_shared"))
            return
        await self._put(outcome, place, person)
        await self._note(run, person, "shared", place)
        await self._close(record, outcome, locale)

    async def _is_allowed(self, outcome: Outcome, place: Place) -> bool:
        if not isinstance(outcome, Answer | NoData):
            return False
        rules = self.desk.deps.policy_now().audience_in(outcome.query.domain)
        if rules.answers == "private":
            return False
        return rules.external == "allow" or not (await self.gate.readers(place)).is_external

    async def _put(self, outcome: Outcome, place: Place, person: Principal) -> None:
        """Where the line stood that something was answered apart."""
        delivery, channel = self.desk.delivery, self.desk.channels[channel_of(place.thread)]
        card = shared_card(await delivery.card_of(outcome), person.display_name or person.id)
        await delivery.show(channel, place, outcome.run, apart_slot(slot_of(outcome)), card)
        for attachment in card.attachments:
            again = replace(attachment, key=f"shared:{attachment.key}")
            await delivery.artifacts.put(outcome.run, again)
            await delivery.attach(channel, place, outcome.run, again)

    async def _close(self, record: RunRecord, outcome: Outcome, locale: Locale) -> None:
        """The asker's own card says so, and offers it no longer."""
        delivery = self.desk.delivery
        card = await delivery.card_of(outcome)
        said = replace(card, elements=(small(say(locale, "audience.shared")), *card.elements))
        await delivery.redraw(self.desk.channels, record.run, slot_of(outcome), said)

    async def _note(self, run: RunId, person: Principal, name: str, place: Place) -> None:
        event = RunEvent(name=name, by=person.id, facts={"thread": place.thread}, once=name)
        await self.desk.note(run, event)
