"""From an outcome to a posted card, once: a redelivery edits what was posted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from agent.analysis.members import with_member_labels
from agent.deps import NoMeasures
from agent.errors import ResultExpired
from agent.ports import CatalogSource, Clock, Measures, ResultStore
from agent.values.identity import ChannelName, ExternalUser, PrincipalId, RunId
from agent.values.outcome import Answer, Clarification, Outcome, Proposal, Reply
from agent.values.result import ResultTable
from agent.values.turn import CardRef, Place
from agent.wording.texts import say
from bot.answer_files import WORKBOOK, chart_files, workbook_file
from bot.people import People
from bot.placing import put_once
from bot.ports import ArtifactStore, CardStore, Channel
from bot.posting import (
    Known,
    Post,
    attach_once,
    key_of,
    post_once,
    slot_of_file,
)
from bot.run_places import channel_of
from cards.build.notices import file_not_taken_card
from cards.build.outcome import outcome_card
from cards.build.phrases import small
from cards.elements import Attachment, Card
from cards.errors import DeliveryRefused
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Whom a card speaks to: the run's asker where they are known, and the person whose turn it answers.

    `is_alone` tells that nobody else reads along.
    """

    asker: PrincipalId | None = None
    user: ExternalUser | None = None
    is_alone: bool = False


NOBODY = Reader()


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
    """Builds cards and puts them where they belong. `link_for` makes signed, expiring links, where they are set up."""

    clock: Clock
    catalog: CatalogSource
    results: ResultStore
    cards: CardStore
    artifacts: ArtifactStore
    people: People
    measures: Measures = field(default_factory=NoMeasures)
    link_for: Callable[[RunId, str], str] | None = None
    default_locale: Locale = "en"

    async def deliver(
        self, channel: Channel, place: Place, progress: Post, outcome: Outcome, reader: Reader = NOBODY
    ) -> None:
        """Post the outcome's card, or turn the progress message into it, or edit it if it was posted before.

        Its files follow, each once. Where the conversation takes nothing any more, the asker gets it alone.
        """
        card = await self.card_of(outcome)
        if isinstance(outcome, Reply) or (isinstance(outcome, Clarification) and not reader.is_alone):
            card = replace(card, addressee=reader.user)
        run, slot = outcome.run, slot_of(outcome)
        files = tuple(slot_of_file(run, attachment) for attachment in card.attachments)
        known = await self.cards.claim(((run, slot), *files), ((progress.run, progress.slot),))
        try:
            await put_once(self.cards, channel, place, (Post(run=run, slot=slot), progress), card, known)
        except DeliveryRefused as error:
            ref, place = await self._elsewhere(place, card, key_of(run, slot), reader, error)
            await self.cards.put(run, slot, ref, place)
        for attachment in card.attachments:
            await self.attach(channel, place, run, attachment, known, outcome.locale)

    async def _elsewhere(
        self, place: Place, card: Card, key: str, reader: Reader, error: DeliveryRefused
    ) -> tuple[CardRef, Place]:
        """The card to the asker alone. Raises the `error` where they cannot be reached."""
        if reader.asker is None:
            raise error
        why = small(say(card.locale, "dialog.elsewhere"))
        name = channel_of(place.thread)
        moved = await self.people.write(
            reader.asker, name, replace(card, elements=(why, *card.elements)), key, unsure=True
        )
        if moved is None or channel_of(moved[1].thread) != name:
            raise error
        log.info("delivered_elsewhere", detail=error.detail)
        return moved

    async def show(
        self, channel: Channel, place: Place, run: RunId, slot: str, card: Card, progress: Post | None = None
    ) -> None:
        """Post a card under the slot, or edit the one already there, or turn the progress message into it."""
        if progress is not None:
            known = await self.cards.claim(((run, slot),), ((progress.run, progress.slot),))
            await put_once(self.cards, channel, place, (Post(run=run, slot=slot), progress), card, known)
        elif posted := await self.cards.get(run, slot):
            await channel.update(place, posted[0], card)
        else:
            await post_once(self.cards, channel, place, run, slot, card)

    async def redraw(
        self,
        channels: Mapping[ChannelName, Channel],
        run: RunId,
        slot: str,
        card: Card,
        also: tuple[tuple[CardRef, Place], ...] = (),
    ) -> None:
        """Edit the card under the slot, every copy of it and those of `also`; nothing where a card is gone."""
        posted = await self.cards.get(run, slot)
        known = (*((posted,) if posted else ()), *await self.cards.copies(run, slot))
        for ref, place in {ref: (ref, place) for ref, place in (*also, *known)}.values():
            try:
                await channels[channel_of(place.thread)].update(place, ref, card)
            except DeliveryRefused as error:
                log.warning("card_not_redrawn", detail=error.detail)

    async def attach(
        self,
        channel: Channel,
        place: Place,
        run: RunId,
        attachment: Attachment,
        known: Known | None = None,
        locale: Locale | None = None,
    ) -> None:
        """Deliver a file of the run, once; a long one that the platform refuses is linked, or said to be too large."""
        try:
            await attach_once(self.cards, channel, place, run, attachment, known)
        except DeliveryRefused as error:
            if attachment.parts is None:
                raise
            log.warning("long_file_refused", detail=error.detail, size=attachment.size)
            link = self.link_for(run, attachment.key) if self.link_for is not None else ""
            card = file_not_taken_card(attachment, locale or self.default_locale, link)
            await self.show(channel, place, run, f"not_taken:{attachment.key}", card)

    async def card_of(self, outcome: Outcome) -> Card:
        """The outcome's card; an answer's files are in the artifact store then."""
        return await self._answer(outcome) if isinstance(outcome, Answer) else outcome_card(outcome)

    async def _answer(self, answer: Answer) -> Card:
        domain = self.catalog.current().domain(answer.query.domain)
        table = with_member_labels(await self.results.read(answer.result), domain, answer.locale)
        label = domain.names.in_locale(answer.locale)
        with self.measures.step("draw"):
            charts = await chart_files(answer, table)
            for chart in charts:
                await self.artifacts.put(answer.run, chart)
            attachments = (*charts, await self._workbook(answer, table, label))
        return outcome_card(answer, table, attachments)

    async def _workbook(self, answer: Answer, table: ResultTable, label: str) -> Attachment:
        """The workbook, which is in the artifact store then; that of a long result is written once and read there."""
        kept = await self.artifacts.get(answer.run, WORKBOOK) if table.long is not None else None
        if kept is not None:
            return kept
        with TemporaryDirectory(prefix="countersign-") as folder:
            written = await workbook_file(answer, table, label, self.clock.now(), Path(folder))
            await self.artifacts.put(answer.run, written)
        stored = await self.artifacts.get(answer.run, WORKBOOK) if written.parts is not None else written
        if stored is None:
            raise ResultExpired
        return stored
