"""Which job took a platform event: a repeated delivery is one turn."""

from datetime import datetime

from adapters.control.postgres.connections import Pool, connected

_TAKE = """
    INSERT INTO countersign.events AS taken (event, job) VALUES (%(event)s, %(job)s)
    ON CONFLICT (event) DO UPDATE SET job = taken.job
    RETURNING job
"""


class PostgresEventLog:
    """Taken events. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def take(self, event: str, job: int) -> bool:
        """True for the first job that takes the event, and for the same job again after a crash."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_TAKE, {"event": event, "job": job})).fetchone()
        return row is not None and row["job"] == job

    async def expire(self, before: datetime) -> int:
        """Forget events taken before an instant; how many went. Platforms repeat a delivery for minutes only."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.events WHERE taken_at < %s", (before,))
            return cursor.rowcount
