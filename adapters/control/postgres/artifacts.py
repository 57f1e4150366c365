"""Charts and workbooks in PostgreSQL, until they expire."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from functools import partial
from typing import IO

from adapters.control.postgres.connections import Connection, Pool, connected
from agent.ports import Clock
from agent.values.identity import RunId
from cards.elements import Attachment

PART_BYTES = 4 * 1024 * 1024
"""The most that is moved, or stored in one value, at once."""

_PUT = """
    INSERT INTO countersign.artifacts (run, key, name, media_type, title, alt, content, length, expires_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (run, key) DO UPDATE
    SET name = excluded.name, media_type = excluded.media_type, title = excluded.title, alt = excluded.alt,
        content = excluded.content, length = excluded.length, expires_at = excluded.expires_at
"""
_NO_PARTS = "DELETE FROM countersign.artifact_parts WHERE run = %s AND key = %s"
_PUT_PART = "INSERT INTO countersign.artifact_parts (run, key, number, content) VALUES (%s, %s, %s, %s)"
_GET = """
    SELECT key, name, media_type, title, alt, content, length FROM countersign.artifacts
    WHERE run = %s AND key = %s AND expires_at > %s
"""
_GET_PART = "SELECT content FROM countersign.artifact_parts WHERE run = %s AND key = %s AND number = %s"


class PostgresArtifactStore:
    """Keeps each file for `keep` after it was stored. Raises StoreUnavailable when the database does not answer.

    Of a file in parts, at most `PART_BYTES` are held at once.
    """

    def __init__(self, pool: Pool, clock: Clock, keep: timedelta) -> None:
        self._pool = pool
        self._clock = clock
        self._keep = keep

    async def put(self, run: RunId, attachment: Attachment) -> None:
        """Store under (run, key), whole or not at all; storing again replaces and starts the time anew."""
        if attachment.parts is None:
            async with connected(self._pool) as connection, connection.transaction():
                await self._put(connection, run, attachment, None)
            return
        # Its parts may come out of this very database: they are fetched before a transaction keeps a connection.
        with tempfile.TemporaryFile(prefix="countersign-artifact-") as spooled:
            length = 0
            async for part in attachment.read():
                length += await asyncio.to_thread(spooled.write, part)
            async with connected(self._pool) as connection, connection.transaction():
                await self._put(connection, run, attachment, length)
                await _put_parts(connection, run, attachment.key, spooled)

    async def get(self, run: RunId, key: str) -> Attachment | None:
        """The stored file; None once expired. The bytes of a long one are fetched while it is read."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (run, key, self._clock.now()), binary=True)).fetchone()
        if row is None:
            return None
        length = row.pop("length")
        if length is None:
            return Attachment(**row)
        return Attachment(**row, length=length, parts=partial(self._parts, run, key))

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many files went."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.artifacts WHERE expires_at <= %s", (now,))
            return cursor.rowcount

    async def _put(self, connection: Connection, run: RunId, a: Attachment, length: int | None) -> None:
        until, content = self._clock.now() + self._keep, a.content if length is None else b""
        await connection.execute(_PUT, (run, a.key, a.name, a.media_type, a.title, a.alt, content, length, until))
        await connection.execute(_NO_PARTS, (run, a.key))

    async def _parts(self, run: RunId, key: str) -> AsyncIterator[bytes]:
        number = 0
        while (part := await self._part(run, key, number)) is not None:
            yield part
            number += 1

    async def _part(self, run: RunId, key: str, number: int) -> bytes | None:
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET_PART, (run, key, number), binary=True)).fetchone()
        return None if row is None else bytes(row["content"])


async def _put_parts(connection: Connection, run: RunId, key: str, spooled: IO[bytes]) -> None:
    spooled.seek(0)
    number = 0
    while part := await asyncio.to_thread(spooled.read, PART_BYTES):
        await connection.execute(_PUT_PART, (run, key, number, part))
        number += 1
