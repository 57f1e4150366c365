"""Long explanations that grow before the reader's eyes, where Slack streams."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import structlog

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text
from adapters.channels.slack.thread_ids import SlackThread
from cards.elements import Actions, Card, Paragraph
from cards.errors import DeliveryRefused, DeliveryUnavailable
from cards.limits import SLACK
from cards.render.clean import clean
from cards.render.text import plain

LONG_CHARACTERS: Final = 700
"""A reply of more words than that is streamed."""

CHUNK_CHARACTERS: Final = 350

# What Markdown reads as markup: `*_~[]()#>|!+-` and digits that open a list are shown as written.
_MARKUP: Final = re.compile(r"([\\`*_~\[\]()#|!>{}])")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Streams a reply's words. Whatever Slack does not take is posted as an ordinary message instead."""

    clients: SlackClients

    async def post(self, thread: SlackThread, card: Card, message: dict[str, Any]) -> str:
        """The `ts` of the message that grew; empty where nothing was streamed.

        `message` is the card as an ordinary one: its buttons stand below the words.
        """
        words = streamed_words(card)
        if not words:
            return ""
        try:
            started = await self._start(thread, card)
        except (DeliveryRefused, DeliveryUnavailable) as error:
            log.info("slack_stream_not_started", detail=error.detail)
            return ""
        await self._grow(thread, started, words, message)
        return started

    async def _start(self, thread: SlackThread, card: Card) -> str:
        with asking_slack("chat.startStream"):
            opened = await self.clients.posting.chat_startStream(
                channel=thread.channel, thread_ts=thread.root, **_recipient(thread, card)
            )
        return text(opened.data, "ts")

    async def _grow(self, thread: SlackThread, ts: str, words: str, message: dict[str, Any]) -> None:
        """A stream that breaks off is ended as the ordinary message. Raises `DeliveryUnavailable`."""
        buttons = [block for block in message["blocks"] if block["type"] in ("actions", "context_actions")]
        try:
            for chunk in chunks(words):
                with asking_slack("chat.appendStream"):
                    await self.clients.posting.chat_appendStream(channel=thread.channel, ts=ts, markdown_text=chunk)
            with asking_slack("chat.stopStream"):
                await self.clients.posting.chat_stopStream(
                    channel=thread.channel, ts=ts, blocks=buttons or None, metadata=message["metadata"]
                )
        except (DeliveryRefused, DeliveryUnavailable) as error:
            log.warning("slack_stream_broken", detail=error.detail)
            with asking_slack("chat.update"):
                await self.clients.repeating.chat_update(
                    channel=thread.channel, ts=ts, blocks=message["blocks"], text=message["text"]
                )


def streamed_words(card: Card) -> str:
    """The words of a long reply as Markdown that shows exactly them; empty for every other card."""
    if card.kind != "reply" or card.addressee is None:
        return ""
    if not all(isinstance(element, Paragraph | Actions) for element in card.elements):
        return ""
    parts = [plain(element.spans) for element in card.elements if isinstance(element, Paragraph)]
    words = "\n\n".join(_literal(part) for part in parts)
    return words if LONG_CHARACTERS < len(words) <= SLACK.message else ""


def chunks(words: str) -> Iterator[str]:
    """The words in pieces that end between words, in order; together they are the words."""
    while words:
        end = words.rfind(" ", 0, CHUNK_CHARACTERS) + 1 if len(words) > CHUNK_CHARACTERS else len(words)
        piece = words[: end or CHUNK_CHARACTERS]
        yield piece
        words = words[len(piece) :]


def _literal(words: str) -> str:
    escaped = _MARKUP.sub(r"\\\1", clean(words))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")


def _recipient(thread: SlackThread, card: Card) -> dict[str, Any]:
    """In a channel Slack wants to know who reads first."""
    if thread.channel.startswith("D") or card.addressee is None:
        return {}
    return {"recipient_user_id": card.addressee.user_id, "recipient_team_id": card.addressee.tenant}
