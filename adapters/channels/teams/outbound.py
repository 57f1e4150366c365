"""Cards and files into Teams' conversations."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from adapters.channels.teams.adapter import TeamsAdapter
from adapters.channels.teams.addresses import TeamsAddress, read_address
from adapters.channels.teams.consent import ConsentContexts, OfferedFile
from adapters.channels.teams.messages import card_message, consent_message, link_message, text_message
from adapters.channels.teams.pictures import data_address, is_picture
from agent.values.identity import ChannelName, ExternalUser, RunId
from agent.values.turn import CardRef, Place
from agent.wording.texts import say
from cards.elements import Attachment, Card
from semantic_catalog.model import Locale

LinkFor = Callable[[RunId, str], str]
_MOST_REMEMBERED: Final = 10_000


class TeamsChannel:
    """The chat platform Microsoft Teams.

    Teams keeps no key of ours with a message: a repeated post is seen within this process only. Charts stand in their
    card. Workbooks are offered to a person's OneDrive in personal chats and linked elsewhere; without `link_for` a
    chat of several people is told to ask in a personal one.
    """

    def __init__(
        self, adapter: TeamsAdapter, consents: ConsentContexts, link_for: LinkFor | None, default_locale: Locale
    ) -> None:
        self._adapter = adapter
        self._consents = consents
        self._link_for = link_for
        self._default_locale = default_locale
        self._posted: OrderedDict[str, CardRef] = OrderedDict()

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        return "teams"

    @property
    def adapter(self) -> TeamsAdapter:
        """What sends."""
        return self._adapter

    @property
    def consents(self) -> ConsentContexts:
        """What signed the files that were offered."""
        return self._consents

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        posted = self._posted.get(key)
        if posted is None:
            message = card_message(card, await _pictures(card))
            posted = CardRef(thread=place.thread, message_id=await self._adapter.send(_to(place), message))
            self._remember(key, posted)
        return posted

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:
        """Redraw a posted card for everybody. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        await self._adapter.edit(_to(place), ref.message_id, card_message(card, await _pictures(card)))

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Offer the file, or link it. A picture that stands in its card already is not sent again: its ref names none.

        Raises `DeliveryUnavailable`, `DeliveryRefused`.
        """
        key = f"{run}:file:{attachment.key}"
        if is_picture(attachment) and await _address_of(attachment):
            return CardRef(thread=place.thread, message_id=key)
        posted = self._posted.get(key)
        if posted is None:
            address = _to(place)
            message = self._file_message(place, address, run, attachment)
            posted = CardRef(thread=place.thread, message_id=await self._adapter.send(address, message))
            self._remember(key, posted)
        return posted

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:  # noqa: ARG002  # the port's arguments
        """Say it in the thread. After a click in front of others nothing: its answer reached the person alone.

        Raises `DeliveryUnavailable`, `DeliveryRefused`.
        """
        address = _to(place)
        if address.scope == "dm" or not address.is_answered:
            await self._adapter.send(address, text_message(text))

    async def close(self) -> None:
        """Close all connections."""
        await self._adapter.close()

    def _file_message(self, place: Place, address: TeamsAddress, run: RunId, attachment: Attachment) -> object:
        locale = address.locale or self._default_locale
        if address.scope == "dm":
            offered = OfferedFile(run=run, key=attachment.key, name=attachment.name)
            return consent_message(attachment, self._consents.write(offered, place.thread), locale)
        if self._link_for is None:
            return text_message(say(locale, "teams.file_only_personal", title=attachment.title))
        return link_message(attachment, self._link_for(run, attachment.key), locale)

    def _remember(self, key: str, ref: CardRef) -> None:
        self._posted[key] = ref
        if len(self._posted) > _MOST_REMEMBERED:
            self._posted.popitem(last=False)


def _to(place: Place) -> TeamsAddress:
    return read_address(place.address)


async def _pictures(card: Card) -> Mapping[str, str]:
    return {held.key: await _address_of(held) for held in card.attachments if is_picture(held)}


async def _address_of(attachment: Attachment) -> str:
    return await asyncio.to_thread(data_address, attachment.content)
