"""Messages into Slack's conversations: paced, never twice, and without their plan where none is taken."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text
from adapters.channels.slack.finding import Finding
from adapters.channels.slack.pace import Pace
from adapters.channels.slack.streams import Streams
from adapters.channels.slack.thread_ids import SlackThread
from cards.elements import Card
from cards.errors import DeliveryBusy, DeliveryRefused, DeliveryUnavailable
from cards.render.block_kit import render_block_kit
from cards.render.block_kit_steps import without_plan

EVENT_TYPE: Final = "countersign_card"
_PARENT_GONE: Final = frozenset({"message_not_found", "thread_not_found", "cannot_reply_to_message"})
"""Slack's words for a thread whose first message was deleted."""

Message = dict[str, Any]
Sent = TypeVar("Sent")


class Posting:
    """Posts and edits cards. A post whose fate is unknown is looked for before it is repeated."""

    def __init__(self, clients: SlackClients, pace: Pace) -> None:
        self._clients = clients
        self._pace = pace
        self._streams = Streams(clients=clients)
        self._finding = Finding(clients=clients)
        self._doubtful: set[str] = set()
        self._takes_plans = True

    async def post(self, thread: SlackThread, card: Card, key: str) -> str:
        """The `ts` of the card's message; a thread without a root is the conversation itself.

        Where somebody deleted the thread's first message, the card stands in the conversation. Raises
        `DeliveryUnavailable`, `DeliveryRefused`.
        """
        found = await self._finding.posted(thread, key) if key in self._doubtful else ""
        posted = found or await self._posted(thread, card, key)
        self._doubtful.discard(key)
        return posted

    async def edit(self, channel: str, ts: str, card: Card) -> None:
        """Redraw the message. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        await self._pace.wait(f"update:{channel}:{ts}")

        async def send(message: Message) -> None:
            with asking_slack("chat.update"):
                await self._clients.repeating.chat_update(
                    channel=channel, ts=ts, blocks=message["blocks"], text=message["text"]
                )

        await self._drawn(card, "", send)

    async def _posted(self, thread: SlackThread, card: Card, key: str) -> str:
        async def send(message: Message) -> str:
            return await self._streams.post(thread, card, message) or await self._once(thread, message, key)

        try:
            return await self._drawn(card, key, send)
        except DeliveryRefused as error:
            if not thread.root or _code(error) not in _PARENT_GONE:
                raise
        return await self.post(SlackThread(team=thread.team, channel=thread.channel, root=""), card, key)

    async def _once(self, thread: SlackThread, message: Message, key: str) -> str:
        try:
            return await self._send(thread, message)
        except DeliveryBusy:
            raise
        except DeliveryUnavailable:
            self._doubtful.add(key)
        return await self._finding.posted(thread, key) or await self._send(thread, message)

    async def _send(self, thread: SlackThread, message: Message) -> str:
        await self._pace.wait(f"post:{thread.channel}")
        replying: Message = {"thread_ts": thread.root} if thread.root else {}
        with asking_slack("chat.postMessage"):
            posted = await self._clients.posting.chat_postMessage(
                channel=thread.channel, unfurl_links=False, unfurl_media=False, **replying, **message
            )
        return text(posted.data, "ts")

    async def _drawn(self, card: Card, key: str, send: Callable[[Message], Awaitable[Sent]]) -> Sent:
        """Send the card; once more without its plan where the workspace takes none."""
        planned = bool(card.steps) and self._takes_plans
        try:
            return await send(_message(card, key, planned=self._takes_plans))
        except DeliveryRefused as error:
            if not planned or _code(error) != "invalid_blocks":
                raise
            self._takes_plans = False
        return await send(_message(card, key, planned=False))


def _message(card: Card, key: str, *, planned: bool) -> Message:
    blocks, fallback = render_block_kit(card)
    return {
        "blocks": blocks if planned else without_plan(blocks, card.fallback),
        "text": fallback,
        "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": key}},
    }


def _code(error: DeliveryRefused) -> str:
    """Slack's own word, as `delivery_error` writes it: `chat.update: message_not_found`."""
    return error.detail.rpartition(" ")[2]
