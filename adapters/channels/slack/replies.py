"""What one person gets to see at once: dialogs and private notices."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.interactions import Click, dialog_metadata
from adapters.channels.slack.modal import form_view
from adapters.channels.slack.thread_ids import SlackThread
from agent.wording.texts import say
from cards.elements import Actions, Button, Card, Paragraph, Span
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.forms import Form
from cards.limits import SLACK
from cards.render.block_kit import escape, render_block_kit
from semantic_catalog.model import Locale

_TRIGGER_SECONDS: Final = 3.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateReplies:
    """Best effort: what Slack does not take is logged, never raised."""

    client: AsyncWebClient

    async def ask(self, click: Click, form: Form, locale: Locale) -> None:
        """Open the button's dialog, while the click's trigger lives."""
        await self.open_view(click.trigger, form_view(form, locale, dialog_metadata(click)))

    async def open_view(self, trigger: str, view: dict[str, Any]) -> None:
        """Open a dialog, while the trigger lives."""
        try:
            with asking_slack("views.open"):
                async with asyncio.timeout(_TRIGGER_SECONDS):
                    await self.client.views_open(trigger_id=trigger, view=view)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_dialog_not_opened", detail=error.detail)

    async def tell(
        self, thread: SlackThread, user: str, words: str, offers: tuple[Button, ...] = (), locale: Locale = "en"
    ) -> None:
        """Say it in the thread to the user alone; people outside the conversation get nothing."""
        try:
            with asking_slack("chat.postEphemeral"):
                await self.client.chat_postEphemeral(
                    channel=thread.channel, user=user, thread_ts=thread.root, **_private(words, offers, locale)
                )
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_notice_not_shown", detail=error.detail)

    async def show_status(self, thread: SlackThread, locale: Locale) -> None:
        """Say under the thread that the question is worked on. It goes away with the next message there."""
        try:
            with asking_slack("assistant.threads.setStatus"):
                await self.client.assistant_threads_setStatus(
                    channel_id=thread.channel, thread_ts=thread.root, status=say(locale, "dialog.working")
                )
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.debug("slack_status_not_shown", detail=error.detail)

    async def answer_command(self, reply_url: str, words: str) -> None:
        """Say it to the person who typed the command."""
        webhook = AsyncWebhookClient(reply_url, session=self.client.session)
        try:
            with asking_slack("response_url"):
                await webhook.send(text=escape(words, SLACK.fallback), response_type="ephemeral")
        except DeliveryUnavailable as error:
            log.warning("slack_notice_not_shown", detail=error.detail)


def _private(words: str, offers: tuple[Button, ...], locale: Locale) -> dict[str, Any]:
    if not offers:
        return {"text": escape(words, SLACK.fallback)}
    said = Paragraph(spans=(Span(text=words),))
    card = Card(kind="notice", elements=(said, Actions(buttons=offers)), fallback=words, locale=locale)
    blocks, fallback = render_block_kit(card)
    return {"blocks": blocks, "text": fallback}
