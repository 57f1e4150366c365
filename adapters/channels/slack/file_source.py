"""The bytes of files that were given in Slack."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yarl import URL

from adapters.channels.downloads import UNREACHABLE, Download, download, too_large
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import record, size, text
from agent.values.file import FileRefused
from agent.values.turn import InboundFile
from cards.errors import DeliveryRefused

FILE_HOSTS: Final = ("files.slack.com",)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackFiles:
    """Implements `FileSource`. The bot's token goes to `hosts` and nowhere else.

    A host with a port is a stand-in on this machine: that very one, with any scheme.
    """

    clients: SlackClients
    hosts: tuple[str, ...] = FILE_HOSTS

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        """Ask Slack where the file is now, and write its bytes into `into`. Raises `DeliveryUnavailable`."""
        try:
            url, told = await self._whereabouts(file)
        except DeliveryRefused:
            return UNREACHABLE
        if told > most:
            return too_large(told, most)
        if not url:
            return UNREACHABLE
        headers = {"Authorization": f"Bearer {self.clients.once.token}"}
        return await download(Download(url=url, allows=self._allows, headers=headers), into, most)

    async def _whereabouts(self, file: InboundFile) -> tuple[str, int]:
        """The address and the size as Slack knows them: an event tells neither in shared channels."""
        if not file.id:
            return file.url, file.size
        with asking_slack("files.info"):
            told = record((await self.clients.repeating.files_info(file=file.id)).data, "file")
        return text(told, "url_private_download") or text(told, "url_private"), size(told, "size")

    def _allows(self, url: str) -> bool:
        try:
            parts = URL(url)
        except ValueError:
            return False
        if f"{parts.host}:{parts.port}" in self.hosts:
            return True
        return parts.scheme == "https" and parts.host in self.hosts and parts.port == 443  # https
