"""What Slack shows beside messages, asked of the product: forms, prompts, the Home tab."""

from typing import Protocol

from agent.values.identity import ExternalUser
from agent.values.outcome import Suggestion
from agent.values.turn import CardAction
from cards.build.prompts import prompt_of
from cards.elements import Card
from cards.forms import Form, form_of_prompt
from semantic_catalog.model import Locale


class Surfaces(Protocol):
    """The product behind dialogs and tabs. Every method answers well within Slack's 3 seconds, or raises
    `agent.errors.StoreUnavailable`.
    """

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """What the button that carries `action` asks before it sends; None for a button that sends at once."""
        ...

    async def prompts(self, user: ExternalUser, locale: Locale) -> tuple[Suggestion, ...]:
        """Questions that this person may ask, to begin with."""
        ...

    async def home(self, user: ExternalUser, locale: Locale) -> tuple[Card, ...]:
        """The person's page, part by part; nothing for somebody the policy does not know."""
        ...

    def is_command(self, text: str) -> bool:
        """Whether the words tell the product to do something and are no question."""
        ...


class NoSurfaces:
    """A product that shows messages only."""

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """The prompts that every card has."""
        prompt = prompt_of(action, locale)
        return None if prompt is None else form_of_prompt(prompt)

    async def prompts(self, user: ExternalUser, locale: Locale) -> tuple[Suggestion, ...]:  # noqa: ARG002  # the port's
        """None."""
        return ()

    async def home(self, user: ExternalUser, locale: Locale) -> tuple[Card, ...]:  # noqa: ARG002  # the port's
        """Nothing."""
        return ()

    def is_command(self, text: str) -> bool:  # noqa: ARG002  # the port's
        """Nothing is one."""
        return False
