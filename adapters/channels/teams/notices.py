"""Words to one person of a conversation."""

from dataclasses import dataclass, replace

import structlog

from adapters.channels.teams.adapter import TeamsAdapter
from adapters.channels.teams.conversations import Whereabouts
from adapters.channels.teams.direct import DirectChats
from adapters.channels.teams.drawing import Drawing
from adapters.channels.teams.messages import text_message
from agent.errors import StoreUnavailable
from agent.values.identity import ExternalUser
from agent.values.turn import Place
from cards.build.notices import notice_card
from cards.elements import Actions, Button
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """Tells people in their own chat where others read along. Raises `DeliveryUnavailable`, `DeliveryRefused`.

    Who has no such chat reads it in the thread; after a click nothing, for the click itself was answered.
    """

    adapter: TeamsAdapter
    whereabouts: Whereabouts
    drawing: Drawing

    async def tell(self, place: Place, user: ExternalUser, text: str) -> None:
        """Say it."""
        alone = await self._alone(place, user)
        if alone is not None:
            await self.adapter.send(await self.whereabouts.newest(alone), text_message(text))

    async def offer(
        self, place: Place, user: ExternalUser, text: str, offers: tuple[Button, ...], locale: Locale
    ) -> None:
        """Say it, with buttons."""
        alone = await self._alone(place, user)
        if alone is not None:
            said = notice_card(locale, text)
            card = replace(said, elements=(*said.elements, Actions(buttons=offers)))
            address = await self.whereabouts.newest(alone)
            await self.adapter.send(address, await self.drawing.again(address, card))

    @property
    def chats(self) -> DirectChats:
        """People's own chats."""
        return DirectChats(rest=self.adapter.rest, seen=self.whereabouts.store)

    async def _alone(self, place: Place, user: ExternalUser) -> Place | None:
        """Where the person alone reads it, else the thread; None after a click whose author cannot be reached."""
        address = await self.whereabouts.newest(place)
        if address.scope == "dm":
            return place
        if address.is_quiet:
            return None
        try:
            if not address.is_answered:
                return await self.chats.known(user) or place
            return await self.chats.of(user)
        except (DeliveryUnavailable, DeliveryRefused, StoreUnavailable) as error:
            log.info("teams_notice_not_shown", code=error.code)
            return None if address.is_answered else place
