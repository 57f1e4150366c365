"""Messages of ours that stand in Slack already: looked for before anything is posted a second time."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, records, text
from adapters.channels.slack.thread_ids import SlackThread
from cards.errors import DeliveryRefused

_A_PAGE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Looks through a thread, or through the newest messages of a conversation. Raises `DeliveryUnavailable`."""

    clients: SlackClients

    async def posted(self, thread: SlackThread, key: str) -> str:
        """The `ts` of the message that was posted under the key; empty when there is none."""
        return await self._first(thread, lambda message: _key_of(message) == key)

    async def shared(self, thread: SlackThread, name: str) -> str:
        """The `ts` of the message that brought a file of that name; empty when there is none."""
        return await self._first(thread, lambda message: name in {text(f, "name") for f in records(message, "files")})

    async def _first(self, thread: SlackThread, is_it: Callable[[Record], bool]) -> str:
        if thread.root:
            try:
                async for message in self._replies(thread):
                    if is_it(message):
                        return text(message, "ts")
            except DeliveryRefused:
                # The thread's first message is gone: what followed stands in the conversation.
                pass
        async for message in self._newest(thread.channel):
            if is_it(message):
                return text(message, "ts")
        return ""

    async def _replies(self, thread: SlackThread) -> AsyncIterator[Record]:
        with asking_slack("conversations.replies"):
            first = await self.clients.repeating.conversations_replies(
                channel=thread.channel, ts=thread.root, limit=_A_PAGE, include_all_metadata=True
            )
            async for page in first:
                for message in records(page.data, "messages"):
                    yield message

    async def _newest(self, channel: str) -> AsyncIterator[Record]:
        with asking_slack("conversations.history"):
            page = await self.clients.repeating.conversations_history(
                channel=channel, limit=_A_PAGE, include_all_metadata=True
            )
        for message in records(page.data, "messages"):
            yield message


def _key_of(message: Record) -> str:
    return text(message, "metadata", "event_payload", "key")
