"""Files given in threads, in PostgreSQL, until they expire."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.file import FileId, ThreadFile
from agent.values.identity import PrincipalId, ThreadKey

PART_BYTES = 4 * 1024 * 1024
_ADD = """
    INSERT INTO countersign.files (id, thread, giver, size, given_at, expires_at, file)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
"""
_ADD_PART = "INSERT INTO countersign.file_parts (file, part, content) VALUES (%s, %s, %s)"


class PostgresFileStore:
    """Implements `FileStore`. Raises StoreUnavailable when the database does not answer.

    A file's bytes are moved part by part: at most `PART_BYTES` of them are held at once.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def add(self, file: ThreadFile, content: Path) -> None:
        """Keep a new file with the bytes of `content`, whole or not at all; adding it again changes nothing."""
        row = (file.id, file.thread, file.giver, file.size, file.given_at, file.expires_at, Json(encode(file)))
        async with connected(self._pool) as connection, connection.transaction():
            added = await connection.execute(_ADD, row)
            for number, part in enumerate(_parts(content) if added.rowcount else ()):
                await connection.execute(_ADD_PART, (file.id, number, part))

    async def get(self, file: FileId, now: datetime) -> ThreadFile | None:
        """The file; None once it is deleted or past its time."""
        found = await self._select("id = %s AND expires_at > %s", (file, now))
        return found[0] if found else None

    async def of_thread(self, thread: ThreadKey, now: datetime) -> tuple[ThreadFile, ...]:
        """The thread's files that have not expired, oldest first."""
        return await self._select("thread = %s AND expires_at > %s", (thread, now))

    async def of_giver(self, giver: PrincipalId, now: datetime) -> tuple[ThreadFile, ...]:
        """A person's files that have not expired, in every thread, oldest first."""
        return await self._select("giver = %s AND expires_at > %s", (giver, now))

    async def update(self, file: ThreadFile) -> bool:
        """Replace what is known of the file; its bytes stay. False when it is gone."""
        async with connected(self._pool) as connection:
            statement = "UPDATE countersign.files SET file = %s WHERE id = %s"
            return (await connection.execute(statement, (Json(encode(file)), file.id))).rowcount > 0

    async def fetch(self, file: FileId, into: Path) -> bool:
        """Write the file's bytes into `into`; False when they are gone."""
        number = 0
        with into.open("wb") as opened:
            while (part := await self._part(file, number)) is not None:
                opened.write(part)
                number += 1
        return number > 0

    async def delete(self, file: FileId) -> bool:
        """Delete the file and its bytes; whether it was there."""
        return await self._delete("id = %s", (file,)) > 0

    async def delete_of(self, giver: PrincipalId) -> int:
        """Delete every file of a person; how many went."""
        return await self._delete("giver = %s", (giver,))

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many files went."""
        return await self._delete("expires_at <= %s", (now,))

    async def _select(self, condition: str, values: tuple[object, ...]) -> tuple[ThreadFile, ...]:
        statement = f"SELECT file FROM countersign.files WHERE {condition} ORDER BY given_at, id"  # ours
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(statement.encode(), values)).fetchall()
        return tuple(decode(ThreadFile, row["file"]) for row in rows)

    async def _delete(self, condition: str, values: tuple[object, ...]) -> int:
        statement = f"DELETE FROM countersign.files WHERE {condition}"  # ours
        async with connected(self._pool) as connection:
            return (await connection.execute(statement.encode(), values)).rowcount

    async def _part(self, file: FileId, number: int) -> bytes | None:
        statement = "SELECT content FROM countersign.file_parts WHERE file = %s AND part = %s"
        async with connected(self._pool) as connection:
            row = await (await connection.execute(statement, (file, number), binary=True)).fetchone()
        return None if row is None else bytes(row["content"])


def _parts(content: Path) -> Iterator[bytes]:
    with content.open("rb") as opened:
        while part := opened.read(PART_BYTES):
            yield part
