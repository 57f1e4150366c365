"""The Home tab and the agent surface: what is shown when somebody opens the app."""

from dataclasses import dataclass
from typing import Any, Final

import structlog

from adapters.channels.slack.door import Door
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, text
from adapters.channels.slack.people import SlackPerson
from agent.errors import StoreUnavailable
from agent.values.outcome import Suggestion
from cards.elements import Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.limits import SLACK
from cards.render.block_kit import render_home
from cards.render.clean import clip
from semantic_catalog.model import Locale

OPENED: Final = "app_home_opened"
_MESSAGE: Final = 3000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabs:
    """Shows people their own page and what they may ask. Best effort: what Slack does not take is logged."""

    door: Door

    async def opened(self, body: Record) -> None:
        """Somebody opened the app on one of its tabs."""
        user = text(body, "event", "user")
        try:
            person = await self.door.people.person(user, text(body, "team_id"), await self.door.home())
            locale = person.locale or self.door.default_locale
            match text(body, "event", "tab"):
                case "home":
                    await self._publish(user, person, locale)
                case "messages":
                    await self._suggest(text(body, "event", "channel"), person, locale)
                case _:
                    pass
        except (StoreUnavailable, DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_tab_not_shown", code=error.code, detail=error.detail)

    async def _publish(self, user: str, person: SlackPerson, locale: Locale) -> None:
        view = home_view(await self.door.surfaces.home(person.user, locale))
        with asking_slack("views.publish"):
            await self.door.clients.once.views_publish(user_id=user, view=view)

    async def _suggest(self, channel: str, person: SlackPerson, locale: Locale) -> None:
        """Without `thread_ts`: with it the call silently does nothing."""
        prompts = prompts_of(await self.door.surfaces.prompts(person.user, locale))
        if not prompts or not channel:
            return
        with asking_slack("assistant.threads.setSuggestedPrompts"):
            await self.door.clients.once.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=prompts)


def home_view(cards: tuple[Card, ...]) -> dict[str, Any]:
    """The cards below each other, as far as a view takes them."""
    return {"type": "home", "blocks": render_home(cards)}


def prompts_of(suggestions: tuple[Suggestion, ...]) -> list[dict[str, str]]:
    """As many prompts as Slack shows."""
    return [
        {"title": clip(item.label, SLACK.button_label), "message": clip(item.question, _MESSAGE)}
        for item in suggestions[: SLACK.prompts]
    ]
