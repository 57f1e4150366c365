"""What one person gets to see at once: dialogs and private notices."""

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.interactions import Click, dialog_metadata
from adapters.channels.slack.modal import prompt_view
from adapters.channels.slack.thread_ids import SlackThread
from cards.elements import Prompt
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.limits import SLACK
from cards.render.block_kit import escape
from semantic_catalog.model import Locale

_TRIGGER_SECONDS: Final = 3.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateReplies:
    """Best effort: what Slack does not take is logged, never raised."""

    client: AsyncWebClient

    async def ask(self, click: Click, prompt: Prompt, locale: Locale) -> None:
        """Open the button's dialog, while the click's trigger lives."""
        view = prompt_view(prompt, locale, dialog_metadata(click))
        try:
            with asking_slack("views.open"):
                async with asyncio.timeout(_TRIGGER_SECONDS):
                    await self.client.views_open(trigger_id=click.trigger, view=view)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_dialog_not_opened", detail=error.detail)

    async def tell(self, thread: SlackThread, user: str, words: str) -> None:
        """Say it in the thread to the user alone; people outside the conversation get nothing."""
        try:
            with asking_slack("chat.postEphemeral"):
                await self.client.chat_postEphemeral(
                    channel=thread.channel, user=user, thread_ts=thread.root, text=escape(words, SLACK.fallback)
                )
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("slack_notice_not_shown", detail=error.detail)

    async def answer_command(self, reply_url: str, words: str) -> None:
        """Say it to the person who typed the command."""
        webhook = AsyncWebhookClient(reply_url, session=self.client.session)
        try:
            with asking_slack("response_url"):
                await webhook.send(text=escape(words, SLACK.fallback), response_type="ephemeral")
        except DeliveryUnavailable as error:
            log.warning("slack_notice_not_shown", detail=error.detail)
