"""What everything that comes in from Slack goes through: who it is from, and the product behind."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.channels.slack.background import Background
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.inbound import Origin, turn_of
from adapters.channels.slack.installation import Bot, Installation
from adapters.channels.slack.people import SlackPeople, SlackPerson
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.surfaces import Surfaces
from agent.ports import Clock
from agent.values.identity import ThreadKey
from agent.values.turn import CardAction, Turn, TurnKind
from cards.actions import turn_kind
from cards.elements import Acknowledgement
from semantic_catalog.model import Locale

Receive = Callable[[Turn], Awaitable[Acknowledgement]]
Follows = Callable[[ThreadKey], Awaitable[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Hands turns to `receive` and says back what it answers. `follows` tells whether a thread is one of ours."""

    bot: Bot
    clients: SlackClients
    people: SlackPeople
    replies: PrivateReplies
    background: Background
    receive: Receive
    follows: Follows
    surfaces: Surfaces
    clock: Clock
    default_locale: Locale

    async def home(self) -> Installation:
        """The workspace. Raises `DeliveryUnavailable`."""
        return await self.bot.installation()

    async def author(self, origin: Origin) -> SlackPerson:
        """Who said or pressed it. Raises `DeliveryUnavailable`."""
        return await self.people.person(origin.user, origin.user_team, await self.home())

    async def take(self, turn: Turn, origin: Origin) -> None:
        """Store the turn; its author alone reads a notice. Raises `StoreUnavailable`."""
        said = await self.receive(turn)
        if said.notice:
            locale = turn.locale or self.default_locale
            self.background.start(self.replies.tell(origin.thread, origin.user, said.notice, said.offers, locale))
        elif turn.kind in ("message", "command", "file"):
            self.background.start(self.replies.show_status(origin.thread, turn.locale or self.default_locale))

    async def press(self, origin: Origin, action: CardAction, pressed_on: str) -> None:
        """Store a pressed button."""
        turn = turn_of(
            origin,
            await self.author(origin),
            self.clock.now(),
            (await self.home()).team,
            kind=turn_kind(action),
            action=action,
            pressed_on=pressed_on,
        )
        await self.take(turn, origin)

    async def ask(self, origin: Origin, question: str, *, command: bool = False) -> None:
        """Store a question that came from elsewhere than a message."""
        author, home = await self.author(origin), await self.home()
        kind: TurnKind = "command" if command else "message"
        await self.take(turn_of(origin, author, self.clock.now(), home.team, kind=kind, text=question), origin)

    def tell(self, origin: Origin, words: str) -> None:
        """Say it to one person, in the thread."""
        self.background.start(self.replies.tell(origin.thread, origin.user, words))
