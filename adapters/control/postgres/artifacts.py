"""Charts and workbooks in PostgreSQL, until they expire."""

from datetime import datetime, timedelta

from adapters.control.postgres.connections import Pool, connected
from agent.ports import Clock
from agent.values.identity import RunId
from cards.elements import Attachment

_PUT = """
    INSERT INTO countersign.artifacts (run, key, name, media_type, title, alt, content, expires_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (run, key) DO UPDATE
    SET name = excluded.name, media_type = excluded.media_type, title = excluded.title, alt = excluded.alt,
        content = excluded.content, expires_at = excluded.expires_at
"""
_GET = """
    SELECT key, name, media_type, title, alt, content FROM countersign.artifacts
    WHERE run = %s AND key = %s AND expires_at > %s
"""


class PostgresArtifactStore:
    """Keeps each file for `keep` after it was stored. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, clock: Clock, keep: timedelta) -> None:
        self._pool = pool
        self._clock = clock
        self._keep = keep

    async def put(self, run: RunId, attachment: Attachment) -> None:
        """Store under (run, key); storing again replaces and starts the time anew."""
        a, until = attachment, self._clock.now() + self._keep
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, (run, a.key, a.name, a.media_type, a.title, a.alt, a.content, until))

    async def get(self, run: RunId, key: str) -> Attachment | None:
        """The stored file; None once expired."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (run, key, self._clock.now()))).fetchone()
        return None if row is None else Attachment(**row)

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many files went."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.artifacts WHERE expires_at <= %s", (now,))
            return cursor.rowcount
