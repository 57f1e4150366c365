"""Which job took a platform event, and who handles it: a repeated delivery is one turn, in one process at a time."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, Literal

from adapters.control.postgres.connections import Pool, connected

LEASE_SECONDS: Final = 15
"""For how long a handler that renews nothing is still believed to be at work."""

Taken = Literal["taken", "elsewhere", "held"]

_TAKE = """
    INSERT INTO countersign.events AS known (event, job, holder, held_until)
    VALUES (%(event)s, %(job)s, %(holder)s, now() + make_interval(secs => %(seconds)s))
    ON CONFLICT (event) DO UPDATE SET (holder, held_until) = (
        SELECT CASE WHEN free THEN excluded.holder ELSE known.holder END,
               CASE WHEN free THEN excluded.held_until ELSE known.held_until END
        FROM (SELECT known.job = excluded.job AND known.held_until <= now() AS free) AS looked
    )
    RETURNING job, holder
"""
_RENEW = """
    UPDATE countersign.events SET held_until = now() + make_interval(secs => %s) WHERE holder = ANY(%s)
    RETURNING holder
"""
# A job that runs without a lease: its worker died, or could not write down that it had ended.
_ABANDONED = """
    SELECT job.id FROM procrastinate_jobs AS job
    LEFT JOIN countersign.events AS known ON known.job = job.id
    WHERE job.status = 'doing' AND job.queue_name = %(queue)s
      AND coalesce(known.held_until, '-infinity') < now()
      AND (SELECT max(at) FROM procrastinate_events WHERE job_id = job.id AND type = 'started')
        < now() - make_interval(secs => %(seconds)s)
    ORDER BY job.id
"""
# Only one job of an event may wait. Of an abandoned job and a repetition that waits behind it one goes: the one that
# did not take the event.
_LEAVE_ONE = """
    WITH twins AS (
        SELECT stuck.id AS stuck, waiting.id AS waiting
        FROM procrastinate_jobs AS stuck
        JOIN procrastinate_jobs AS waiting ON waiting.queueing_lock = stuck.queueing_lock AND waiting.id <> stuck.id
        WHERE stuck.id = %(job)s AND stuck.status = 'doing' AND waiting.status = 'todo'
    )
    DELETE FROM procrastinate_jobs WHERE id IN (
        SELECT CASE WHEN EXISTS (SELECT FROM countersign.events WHERE job = waiting) THEN stuck ELSE waiting END
        FROM twins
    )
    RETURNING id
"""


class PostgresEventLog:
    """Taken events. Raises StoreUnavailable when the database does not answer.

    The lease is kept here and not in the cache: it must hold exactly as long as what it guards can be written.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def take(self, event: str, job: int, holder: str) -> Taken:
        """`taken` for the first job that takes the event, and for the same job again once nobody holds it.

        `elsewhere`: another job took the event, this one is a repetition. `held`: another holder is at this very job.
        """
        known = {"event": event, "job": job, "holder": holder, "seconds": LEASE_SECONDS}
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_TAKE, known)).fetchone()
        if row is None or row["job"] != job:
            return "elsewhere"
        return "taken" if row["holder"] == holder else "held"

    async def renew(self, holders: Collection[str]) -> frozenset[str]:
        """Hold on for another while; those that still hold their event. The others were taken over."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_RENEW, (LEASE_SECONDS, list(holders)))).fetchall()
        return frozenset(row["holder"] for row in rows)

    async def release(self, holder: str) -> None:
        """Let the event's job be taken again at once."""
        async with connected(self._pool) as connection:
            await connection.execute(
                "UPDATE countersign.events SET held_until = '-infinity' WHERE holder = %s", (holder,)
            )

    async def abandoned(self, queue: str) -> tuple[int, ...]:
        """Jobs of the queue that are marked as running while nobody has held them for a lease's time."""
        async with connected(self._pool) as connection:
            found = await connection.execute(_ABANDONED, {"queue": queue, "seconds": LEASE_SECONDS})
            return tuple([row["id"] async for row in found])

    async def leave_one(self, job: int) -> bool:
        """Where a repetition waits behind the abandoned job, delete the one of both that did not take their event.

        Whether the abandoned one is left.
        """
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_LEAVE_ONE, {"job": job})).fetchone()
        return row is None or row["id"] != job

    async def expire(self, before: datetime) -> int:
        """Forget events taken before an instant; how many went. Platforms repeat a delivery for minutes only."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.events WHERE taken_at < %s", (before,))
            return cursor.rowcount
