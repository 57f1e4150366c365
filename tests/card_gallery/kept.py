"""The terminal's channel with an audience that keeps every card."""

from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from agent.values.turn import CardRef, Place
from cards.elements import Card, CardKind
from semantic_catalog.model import Locale


class KeepingChannel(ConsoleChannel):
    """Posts nothing anywhere; `cards` are all cards in the order in which they were posted or redrawn."""

    def __init__(self, out: Path) -> None:
        super().__init__(Console(file=StringIO()), out)
        self.cards: list[Card] = []

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Keep the card."""
        self.cards.append(card)
        return await super().post(place, card, key)

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:
        """Keep what the card has become."""
        self.cards.append(card)
        await super().update(place, ref, card)

    def newest(self, kind: CardKind) -> Card:
        """The newest card of the kind."""
        return next(card for card in reversed(self.cards) if card.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A card as it stands in a conversation. `name` is its picture's; `alone` says who else does not see it.

    `opens` names the button whose form is shown, as a dialog or opened inside the card.
    """

    name: str
    card: Card
    alone: bool = False
    opens: str = ""
    is_home: bool = False
    slack_form: object = field(default=None)

    @property
    def locale(self) -> Locale:
        """The language of the card."""
        return self.card.locale
