"""Files into Slack's threads."""

import asyncio
from dataclasses import dataclass
from typing import Final

from aiohttp import ClientSession, ClientTimeout

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, record, records, text
from adapters.channels.slack.thread_ids import SlackThread
from cards.elements import Attachment
from cards.errors import DeliveryRefused, DeliveryUnavailable

MOST_BYTES: Final = 1_000_000_000
"""Slack takes no file of more."""

_DONE: Final = 200
_SENT_WITHIN_SECONDS: Final = 600
_SHARED_AFTER_SECONDS: Final = (0.2, 0.3, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploads:
    """Uploads a file and waits until it stands in its thread."""

    clients: SlackClients

    async def share(self, thread: SlackThread, attachment: Attachment) -> str:
        """The `ts` of the file's message. Raises `DeliveryUnavailable` also when Slack took the file and does not
        show it, `DeliveryRefused` where it takes none.
        """
        upload = self._upload if attachment.parts is None else self._stream
        if attachment.size > MOST_BYTES:
            raise DeliveryRefused("files.upload: too large")
        return await self._shown(await upload(thread, attachment), thread.channel)

    async def _stream(self, thread: SlackThread, attachment: Attachment) -> str:
        """As the SDK does it, but for the bytes: it would hold them all."""
        client = self.clients.repeating
        with asking_slack("files.upload"):
            told = await client.files_getUploadURLExternal(filename=attachment.name, length=attachment.size)
            await self._send(text(record(told.data), "upload_url"), attachment)
            title = attachment.title or attachment.name
            file: dict[str, str | None] = {"id": text(record(told.data), "file_id"), "title": title}
            completed = await client.files_completeUploadExternal(
                files=[file], channel_id=thread.channel, thread_ts=thread.root
            )
        return text(next(records(completed.data, "files"), {}), "id")

    async def _send(self, url: str, attachment: Attachment) -> None:
        client, headers = self.clients.repeating, {"Content-Length": str(attachment.size)}
        timeout = ClientTimeout(total=_SENT_WITHIN_SECONDS)
        async with (
            ClientSession(timeout=timeout, trust_env=client.trust_env_in_session) as session,
            session.post(
                url, data=attachment.read(), headers=headers, proxy=client.proxy, ssl=client.ssl or True
            ) as answer,
        ):
            if answer.status != _DONE:
                raise DeliveryUnavailable(f"files.upload: {answer.status}")

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
