"""Runs of a person or a day, newest first, in PostgreSQL."""

from datetime import datetime

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import RunRecord

_RECENT = "SELECT record FROM countersign.runs WHERE asker = %s ORDER BY created_at DESC, run LIMIT %s"
_OPEN = """
    SELECT record FROM countersign.runs AS r
    WHERE asker = %s AND status IN ('running', 'awaiting_approval', 'needs_clarification')
      AND NOT (status = 'awaiting_approval'
               AND EXISTS (SELECT FROM countersign.decisions d
                           WHERE d.run = r.run AND d.revision = r.revision AND d.kind <> 'cancel'))
    ORDER BY created_at DESC, run
"""
_SINCE = "SELECT record FROM countersign.runs WHERE created_at >= %s ORDER BY created_at DESC, run LIMIT %s"
_AWAITING = """
    SELECT record FROM countersign.runs AS r
    WHERE status = 'awaiting_approval'
      AND NOT EXISTS (SELECT FROM countersign.decisions d WHERE d.run = r.run AND d.revision = r.revision)
    ORDER BY created_at DESC, run LIMIT %s
"""
_STALE = """
    SELECT record FROM countersign.runs
    WHERE status IN ('running', 'needs_clarification') AND created_at < %s ORDER BY created_at, run LIMIT %s
"""

_OPEN_IN = """
    SELECT record FROM countersign.runs
    WHERE status IN ('awaiting_approval', 'needs_clarification') AND starts_with(thread, %s) ORDER BY created_at, run
"""
_BEGUN = """
    SELECT record FROM countersign.runs
    WHERE run = %(run)s OR (moved_by = %(event)s AND moved_by <> '')
       OR run IN (SELECT run FROM countersign.decisions WHERE event = %(event)s AND event <> '')
    ORDER BY run = %(run)s LIMIT 1
"""


class PostgresRunLists:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def recent(self, person: PrincipalId, limit: int) -> tuple[RunRecord, ...]:
        """The person's newest runs."""
        return await self._records(_RECENT, person, limit)

    async def open_of(self, person: PrincipalId) -> tuple[RunRecord, ...]:
        """The person's runs that run or wait for somebody."""
        return await self._records(_OPEN, person)

    async def since(self, at: datetime, limit: int) -> tuple[RunRecord, ...]:
        """Everybody's runs from an aware instant on."""
        return await self._records(_SINCE, at, limit)

    async def awaiting(self, limit: int) -> tuple[RunRecord, ...]:
        """Everybody's runs that await approval."""
        return await self._records(_AWAITING, limit)

    async def stale(self, before: datetime, limit: int) -> tuple[RunRecord, ...]:
        """Runs that were opened before an aware instant and neither ended nor await approval, oldest first."""
        return await self._records(_STALE, before, limit)

    async def waiting_in(self, prefix: str) -> tuple[RunRecord, ...]:
        """Runs that wait for somebody in threads whose key begins so, oldest first."""
        return await self._records(_OPEN_IN, prefix)

    async def begun_by(self, event: str, run: RunId) -> RunRecord | None:
        """The run that an event decided or answered the question of; else `run`, which it opens, if that is there."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_BEGUN, {"event": event, "run": run})).fetchone()
        return decode(RunRecord, row["record"]) if row else None

    async def _records(self, query: str, *params: object) -> tuple[RunRecord, ...]:
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(query.encode(), params)).fetchall()
        return tuple(decode(RunRecord, row["record"]) for row in rows)
