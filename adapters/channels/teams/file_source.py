"""The bytes of files that were given in Teams."""

from dataclasses import dataclass
from pathlib import Path

from adapters.channels.downloads import Download, download
from adapters.channels.teams.inbound import is_of
from agent.values.file import FileRefused
from agent.values.turn import InboundFile


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsFiles:
    """Implements `FileSource`. The address is its own key and lives for minutes; no token is sent.

    `hosts` are the endings of the names that files are taken from, also after a redirect.
    """

    hosts: tuple[str, ...]

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        """Write the file's bytes into `into`. Raises `DeliveryUnavailable`."""
        return await download(Download(url=file.url, allows=lambda url: is_of(url, self.hosts)), into, most)
