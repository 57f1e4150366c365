"""Cards and files into Slack's threads."""

import asyncio
from collections import OrderedDict
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import SlackBusy, asking_slack
from adapters.channels.slack.fields import Record, record, records, text
from adapters.channels.slack.pace import Pace
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.thread_ids import SlackThread, read_slack_thread
from agent.values.identity import ChannelName, ExternalUser, RunId
from agent.values.turn import CardRef, Place
from cards.elements import Attachment, Card
from cards.errors import DeliveryUnavailable
from cards.render.block_kit import render_block_kit

EVENT_TYPE: Final = "countersign_card"
_REPLIES_A_PAGE: Final = 200
_MOST_REMEMBERED: Final = 10_000
_SHARED_AFTER_SECONDS: Final = (0.2, 0.3, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0)


class SlackChannel:
    """The chat platform Slack. Posts at most one message per `pace_seconds` into a conversation, and edits as slowly.

    Charts and workbooks stand in the thread as files. A post whose fate is unknown is looked for before it is repeated.
    """

    def __init__(self, clients: SlackClients, pace_seconds: float = 1.0) -> None:
        self._clients = clients
        self._pace = Pace(pace_seconds)
        self._replies = PrivateReplies(client=clients.posting)
        self._done: OrderedDict[str, CardRef] = OrderedDict()
        self._doubtful: set[str] = set()

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        return "slack"

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread; the same key posts once. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        done = self._done.get(key)
        if done is not None:
            return done
        thread = read_slack_thread(place.thread)
        found = await self._find(thread, key) if key in self._doubtful else ""
        ref = CardRef(thread=place.thread, message_id=found or await self._post(thread, _message(card, key), key))
        self._doubtful.discard(key)
        self._remember(key, ref)
        return ref

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        """Redraw a posted card. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        channel = read_slack_thread(ref.thread).channel
        blocks, fallback = render_block_kit(card)
        await self._pace.wait(f"update:{channel}:{ref.message_id}")
        with asking_slack("chat.update"):
            await self._clients.repeating.chat_update(channel=channel, ts=ref.message_id, blocks=blocks, text=fallback)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Put the file into the thread and wait until it stands there; the same file of a run goes once.

        Raises `DeliveryUnavailable` also when Slack took the file and does not show it.
        """
        key = f"{run}:file:{attachment.key}"
        done = self._done.get(key)
        if done is not None:
            return done
        thread = read_slack_thread(place.thread)
        file = await self._upload(thread, attachment)
        ref = CardRef(thread=place.thread, message_id=await self._shared(file, thread.channel))
        self._remember(key, ref)
        return ref

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Tell one person in the thread; where Slack does not take it, nobody is told and it is logged."""
        await self._replies.tell(read_slack_thread(place.thread), user.user_id, text)

    async def _post(self, thread: SlackThread, message: dict[str, Any], key: str) -> str:
        try:
            return await self._send(thread, message)
        except SlackBusy:
            raise
        except DeliveryUnavailable:
            self._doubtful.add(key)
        return await self._find(thread, key) or await self._send(thread, message)

    async def _send(self, thread: SlackThread, message: dict[str, Any]) -> str:
        await self._pace.wait(f"post:{thread.channel}")
        with asking_slack("chat.postMessage"):
            posted = await self._clients.posting.chat_postMessage(
                channel=thread.channel,
                thread_ts=thread.root,
                unfurl_links=False,
                unfurl_media=False,
                **message,
            )
        return text(posted.data, "ts")

    async def _find(self, thread: SlackThread, key: str) -> str:
        """The `ts` of the message that was posted under the key; empty when there is none."""
        with asking_slack("conversations.replies"):
            first = await self._clients.repeating.conversations_replies(
                channel=thread.channel, ts=thread.root, limit=_REPLIES_A_PAGE, include_all_metadata=True
            )
            async for page in first:
                for message in records(page.data, "messages"):
                    if text(message, "metadata", "event_payload", "key") == key:
                        return text(message, "ts")
        return ""

    async def _upload(self, thread: SlackThread, attachment: Attachment) -> str:
        with asking_slack("files.upload"):
            completed = await self._clients.repeating.files_upload_v2(
                channel=thread.channel,
                thread_ts=thread.root,
                content=attachment.content,
                filename=attachment.name,
                title=attachment.title or attachment.name,
            )
        return text(next(records(completed.data, "files"), {}), "id")

    async def _shared(self, file: str, channel: str) -> str:
        """The `ts` of the file's message. Slack finishes uploads later than it answers."""
        client: AsyncWebClient = self._clients.repeating
        for pause in _SHARED_AFTER_SECONDS:
            with asking_slack("files.info"):
                told = record((await client.files_info(file=file)).data, "file")
            if shared := _share(told, channel):
                return shared
            await asyncio.sleep(pause)
        raise DeliveryUnavailable("files.info: the file is not in the thread")

    def _remember(self, key: str, ref: CardRef) -> None:
        self._done[key] = ref
        if len(self._done) > _MOST_REMEMBERED:
            self._done.popitem(last=False)


def _message(card: Card, key: str) -> dict[str, Any]:
    blocks, fallback = render_block_kit(card)
    return {
        "blocks": blocks,
        "text": fallback,
        "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": key}},
    }


def _share(told: Record, channel: str) -> str:
    for kind in ("public", "private"):
        for message in records(record(told, "shares", kind), channel):
            return text(message, "ts")
    return ""
