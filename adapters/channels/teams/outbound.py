"""Cards and files into Teams' conversations, and to people alone."""

from collections import OrderedDict
from dataclasses import replace
from typing import Final

import structlog

from adapters.channels.teams.accounts import EntraAccounts
from adapters.channels.teams.adapter import TeamsAdapter
from adapters.channels.teams.channel_files import ChannelFiles
from adapters.channels.teams.consent import ConsentContexts
from adapters.channels.teams.conversations import SeenConversations, SeenHere, Whereabouts
from adapters.channels.teams.drawing import Drawing, LinkFor
from adapters.channels.teams.file_offers import FileOffers
from adapters.channels.teams.notices import Notices
from adapters.channels.teams.pictures import is_picture
from adapters.channels.teams.roster import Roster
from adapters.channels.teams.streams import Streams
from adapters.channels.teams.surfaces import Surfaces
from agent.errors import StoreUnavailable
from agent.values.identity import ChannelName, ExternalUser, RunId
from agent.values.turn import CardRef, Place
from cards.elements import Attachment, Button, Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

_MOST_REMEMBERED: Final = 10_000

log = structlog.get_logger()


class TeamsChannel:
    """The chat platform Microsoft Teams.

    Teams keeps no key of ours with a message: a repeated post is seen within this process only. Charts stand in their
    card. Workbooks are offered to a person's OneDrive in personal chats, put into the files of channels where `files`
    does so, and linked elsewhere; without `link_for` a chat of several people is told to ask in a personal one.
    Answers go to where a conversation was last heard from.
    """

    def __init__(
        self,
        adapter: TeamsAdapter,
        consents: ConsentContexts,
        drawing: Drawing,
        link_for: LinkFor | None,
        default_locale: Locale,
        files: ChannelFiles | None = None,
    ) -> None:
        self._adapter = adapter
        self._consents = consents
        self._files = FileOffers(consents=consents, link_for=link_for, files=files, default_locale=default_locale)
        self._drawing = drawing
        self._roster = drawing.roster
        self._whereabouts = Whereabouts(SeenHere())
        self._streams = Streams(adapter=adapter, pause=adapter.config.patience.stream)
        self._accounts = EntraAccounts(adapter.config)
        self._posted: OrderedDict[str, CardRef] = OrderedDict()

    def serve(self, conversations: SeenConversations, surfaces: Surfaces) -> None:
        """Where conversations are kept, and the product behind cards: told once, before anything is posted."""
        self._whereabouts = Whereabouts(conversations)
        self._drawing = replace(self._drawing, surfaces=surfaces)

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

    @property
    def drawing(self) -> Drawing:
        """What draws cards for Teams."""
        return self._drawing

    @property
    def roster(self) -> Roster:
        """Who is in conversations."""
        return self._roster

    @property
    def whereabouts(self) -> Whereabouts:
        """Where conversations were last heard from."""
        return self._whereabouts

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        posted = self._posted.get(key)
        if posted is not None:
            return posted
        address = await self._whereabouts.newest(place)
        sent = await self._streams.post(address, card)
        sent = sent or await self._adapter.send(address, await self._drawing.new(address, card))
        return self._remember(key, CardRef(thread=place.thread, message_id=sent))

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:
        """Redraw a posted card for everybody. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        address = await self._whereabouts.newest(place)
        await self._adapter.edit(address, ref.message_id, await self._drawing.again(address, card))

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Offer the file, or link it. A picture that stands in its card already is not sent again: its ref names none.

        Raises `DeliveryUnavailable`, `DeliveryRefused`.
        """
        key = f"{run}:file:{attachment.key}"
        if is_picture(attachment) and await self._drawing.address_of(attachment):
            return CardRef(thread=place.thread, message_id=key)
        posted = self._posted.get(key)
        if posted is not None:
            return posted
        address = await self._whereabouts.newest(place)
        sent = await self._adapter.send(address, await self._files.message(place, address, run, attachment))
        return self._remember(key, CardRef(thread=place.thread, message_id=sent))

    async def show_work(self, place: Place) -> None:
        """Show for some seconds that an answer is being worked on. Best effort."""
        try:
            await self._adapter.show_typing(await self._whereabouts.newest(place))
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.debug("teams_typing_not_shown", detail=error.detail)

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Tell one person: in their own chat where others read along. Raises `DeliveryUnavailable`, `DeliveryRefused`.

        Who has no such chat reads it in the thread; after a click nothing, for the click itself was answered.
        """
        await self._notices.tell(place, user, text)

    async def offer(
        self, place: Place, user: ExternalUser, text: str, offers: tuple[Button, ...], locale: Locale
    ) -> None:
        """The same with buttons."""
        await self._notices.offer(place, user, text, offers, locale)

    async def direct(self, user: ExternalUser, card: Card, key: str) -> tuple[CardRef, Place]:
        """Post a card to one person in their own chat. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        try:
            place = await self._notices.chats.of(user)
        except StoreUnavailable as error:
            raise DeliveryUnavailable("conversations: not known now") from error
        return await self.post(place, card, key), place

    async def takes_part(self, place: Place, user: ExternalUser) -> bool:
        """Whether the person sees the thread for certain: of a group chat its members. Raises `DeliveryUnavailable`.

        Of a channel Teams does not tell who follows a thread.
        """
        address = await self._whereabouts.newest(place)
        if address.scope == "channel":
            return False
        return any(member.aad_object_id == user.user_id for member in await self._roster.members(address))

    async def is_active(self, user: ExternalUser) -> bool:
        """Whether the directory knows the person and lets them sign in. Raises `DeliveryUnavailable`."""
        return await self._accounts.is_active(user)

    async def close(self) -> None:
        """Close all connections."""
        await self._adapter.close()

    @property
    def _notices(self) -> Notices:
        return Notices(adapter=self._adapter, whereabouts=self._whereabouts, drawing=self._drawing)

    def _remember(self, key: str, ref: CardRef) -> CardRef:
        self._posted[key] = ref
        if len(self._posted) > _MOST_REMEMBERED:
            self._posted.popitem(last=False)
        return ref
