"""What Teams shows besides what it is sent, asked of the product: forms, and the view of one person."""

from typing import Protocol

from agent.values.identity import ExternalUser, RunId
from agent.values.turn import CardAction, CardRef
from cards.build.prompts import prompt_of
from cards.elements import Card
from cards.forms import Form, form_of_prompt
from semantic_catalog.model import Locale


class Surfaces(Protocol):
    """The product behind cards. Every method answers within a second or two, or raises
    `agent.errors.StoreUnavailable`.
    """

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """What the button that carries `action` asks before it sends; None for a button that sends at once."""
        ...

    async def view(self, shown: CardAction, user: ExternalUser) -> Card | None:
        """A proposal's card as this person may press it; None where it is not known any more. Decides nothing."""
        ...

    async def run_of(self, message: CardRef) -> RunId | None:
        """The run whose card the message is."""
        ...


class NoSurfaces:
    """A product that keeps nothing."""

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """The prompts that every card has."""
        prompt = prompt_of(action, locale)
        return None if prompt is None else form_of_prompt(prompt)

    async def view(self, shown: CardAction, user: ExternalUser) -> Card | None:  # noqa: ARG002  # the port's
        """None."""
        return None

    async def run_of(self, message: CardRef) -> RunId | None:  # noqa: ARG002  # the port's
        """None."""
        return None
