"""What somebody is told about what they just did."""

from dataclasses import dataclass

import structlog

from adapters.channels.teams.addresses import write_address
from adapters.channels.teams.inbound import Origin
from adapters.channels.teams.messages import text_message
from adapters.channels.teams.outbound import TeamsChannel
from agent.errors import StoreUnavailable
from agent.values.turn import Place, Turn
from cards.elements import Acknowledgement, Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Best effort: what cannot be posted is lost, for what it is about did nothing anyway."""

    channel: TeamsChannel
    default_locale: Locale

    def locale(self, origin: Origin) -> Locale:
        """The language of who wrote or pressed."""
        return origin.address.locale or self.default_locale

    async def notify(self, turn: Turn, said: Acknowledgement) -> None:
        """A notice to the turn's author."""
        place = Place(thread=turn.thread, address=turn.address)
        locale = turn.locale or self.default_locale
        try:
            if said.offers:
                await self.channel.offer(place, turn.author, said.notice, said.offers, locale)
            else:
                await self.channel.notify(place, turn.author, said.notice)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_notice_lost", code=error.code, detail=error.detail)

    async def answer(self, origin: Origin, words: str) -> None:
        """Words in the thread."""
        try:
            await self.channel.adapter.send(origin.address, text_message(words))
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_notice_lost", code=error.code, detail=error.detail)

    async def show(self, origin: Origin, card: Card, key: str) -> None:
        """A card in the thread, once."""
        place = Place(thread=origin.key, address=write_address(origin.address))
        try:
            await self.channel.post(place, card, key)
        except (DeliveryUnavailable, DeliveryRefused, StoreUnavailable) as error:
            log.warning("teams_notice_lost", code=error.code, detail=error.detail)
