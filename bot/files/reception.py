"""Files that come with a turn: fetched, bounded, read, and kept for their thread."""

import asyncio
import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from agent.ports import Clock
from agent.values.file import FileId, FileRefused, ThreadFile
from agent.values.identity import ChannelName, Principal
from agent.values.turn import InboundFile, Turn
from bot.files.loaded import FileCache
from bot.identifiers import run_id
from bot.ports import FileSource, FileStore
from semantic_catalog.model import Locale

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBounds:
    """How long a file is kept, and how many may be: sizes in bytes, of a file and of a person's files together."""

    keep: timedelta = timedelta(days=7)
    file_bytes: int = 128 * MEGABYTE
    person_bytes: int = 512 * MEGABYTE
    per_thread: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """Takes files in. Taking the same turn's files in again finds what was kept."""

    store: FileStore
    cache: FileCache
    sources: Mapping[ChannelName, FileSource]
    clock: Clock
    bounds: FileBounds

    async def take(self, turn: Turn, place: int, principal: Principal, locale: Locale) -> ThreadFile | FileRefused:
        """The turn's file at `place`, read and kept to be confirmed; or why not."""
        given = turn.files[place]
        if given.media_type.startswith("image/"):
            return FileRefused(reason="picture")
        file = file_id(turn, place)
        known = await self.store.get(file, self.clock.now())
        if known is not None:
            return known
        refused = await self._crowded(turn, principal, given.size)
        if refused is not None:
            return refused
        with tempfile.TemporaryDirectory(prefix="countersign-") as folder:
            content = Path(folder) / "content"
            refused = await self._fetch(turn, given, content)
            return refused or await self._keep(turn, place, principal, locale, content)

    async def _fetch(self, turn: Turn, given: InboundFile, content: Path) -> FileRefused | None:
        if given.content:
            await asyncio.to_thread(content.write_text, given.content, encoding="utf-8")
            return None
        source = self.sources.get(turn.channel)
        if source is None:
            return FileRefused(reason="unreachable")
        return await source.fetch(given, content, self.bounds.file_bytes)

    async def _keep(
        self, turn: Turn, place: int, principal: Principal, locale: Locale, content: Path
    ) -> ThreadFile | FileRefused:
        size = (await asyncio.to_thread(content.stat)).st_size
        refused = await self._crowded(turn, principal, size)
        if refused is not None:
            return refused
        given = turn.files[place]
        tables = await self.cache.read(content, given.name, ())
        if isinstance(tables, FileRefused):
            return tables
        now = self.clock.now()
        file = ThreadFile(
            id=file_id(turn, place),
            thread=turn.thread,
            giver=principal.id,
            name=given.name,
            size=size,
            locale=locale,
            tables=tables,
            run=run_id(turn.event_id),
            given_at=now,
            expires_at=now + self.bounds.keep,
            question=turn.text,
        )
        await self.store.add(file, content)
        return file

    async def _crowded(self, turn: Turn, principal: Principal, size: int) -> FileRefused | None:
        """Why a file of that size has no room: in itself, in the thread, or beside the person's other files."""
        now, bounds = self.clock.now(), self.bounds
        if size > bounds.file_bytes:
            params = (("size", _megabytes(size)), ("most", _megabytes(bounds.file_bytes)))
            return FileRefused(reason="too_large", params=params)
        if len(await self.store.of_thread(turn.thread, now)) >= bounds.per_thread:
            return FileRefused(reason="too_many_files", params=(("most", str(bounds.per_thread)),))
        held = sum(file.size for file in await self.store.of_giver(principal.id, now))
        if held + size > bounds.person_bytes:
            return FileRefused(reason="too_much", params=(("most", _megabytes(bounds.person_bytes)),))
        return None


def file_id(turn: Turn, place: int) -> FileId:
    """The same for the same file of the same event, however often it is handled."""
    return FileId(hashlib.sha256(f"{turn.event_id}#{place}".encode()).hexdigest()[:16])


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:.0f}"
