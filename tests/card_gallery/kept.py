"""The terminal's channel, keeping every card that is posted."""

from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rich.console import Console

from adapters.channels.console.channel import ConsoleChannel
from agent.values.turn import ActionVerb, CardRef, Place
from cards.elements import Actions, Button, Card, CardKind
from cards.forms import Form


class KeepingChannel(ConsoleChannel):
    """`cards` are all cards in the order in which they were posted or redrawn."""

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

    def button(self, verb: ActionVerb) -> Button:
        """The button of that verb on the newest card that has one."""
        return next(
            button for card in reversed(self.cards) for button in buttons_of(card) if button.action.verb == verb
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A card as it stands in a conversation, or with `form` the form that its button of that `label` opens.

    `alone` tells that nobody else sees it, `is_home` that it is a person's own page.
    """

    name: str
    card: Card
    alone: bool = False
    is_home: bool = False
    form: Form | None = None
    button: Button | None = None


def buttons_of(card: Card) -> tuple[Button, ...]:
    """Every button of the card, in order."""
    return tuple(button for part in card.elements if isinstance(part, Actions) for button in part.buttons)
