"""Files into Slack's threads."""

import asyncio
from dataclasses import dataclass
from typing import Final

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, record, records, text
from adapters.channels.slack.thread_ids import SlackThread
from cards.elements import Attachment
from cards.errors import DeliveryUnavailable

_SHARED_AFTER_SECONDS: Final = (0.2, 0.3, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploads:
    """Uploads a file and waits until it stands in its thread."""

    clients: SlackClients

    async def share(self, thread: SlackThread, attachment: Attachment) -> str:
        """The `ts` of the file's message. Raises `DeliveryUnavailable` also when Slack took the file and does not
        show it, `DeliveryRefused` where it takes none.
        """
        return await self._shown(await self._upload(thread, attachment), thread.channel)

    async def _upload(self, thread: SlackThread, attachment: Attachment) -> str:
        with asking_slack("files.upload"):
            completed = await self.clients.repeating.files_upload_v2(
                channel=thread.channel,
                thread_ts=thread.root,
                content=attachment.content,
                filename=attachment.name,
                title=attachment.title or attachment.name,
            )
        return text(next(records(completed.data, "files"), {}), "id")

    async def _shown(self, file: str, channel: str) -> str:
        """Slack finishes uploads later than it answers."""
        for pause in _SHARED_AFTER_SECONDS:
            with asking_slack("files.info"):
                told = record((await self.clients.repeating.files_info(file=file)).data, "file")
            if shared := _share(told, channel):
                return shared
            await asyncio.sleep(pause)
        raise DeliveryUnavailable("files.info: the file is not in the thread")


def _share(told: Record, channel: str) -> str:
    for kind in ("public", "private"):
        for message in records(record(told, "shares", kind), channel):
            return text(message, "ts")
    return ""
