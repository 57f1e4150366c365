"""Rows of what waits to be delivered, in PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected

_PUT = """
    INSERT INTO countersign.letters AS waiting (run, slot, thread, letter, fault, due_at)
    VALUES (%(run)s, %(slot)s, %(thread)s, %(letter)s, %(fault)s, now() + make_interval(secs => %(wait)s))
    ON CONFLICT (run, slot) DO UPDATE SET letter = excluded.letter, fault = excluded.fault, due_at = excluded.due_at,
        is_dead = false, queued_at = CASE WHEN waiting.is_dead THEN now() ELSE waiting.queued_at END
"""
_PUT_DEAD = """
    INSERT INTO countersign.letters (run, slot, thread, letter, fault, due_at, is_dead)
    VALUES (%(run)s, %(slot)s, %(thread)s, %(letter)s, %(fault)s, now(), true)
    ON CONFLICT (run, slot) DO UPDATE SET letter = excluded.letter, fault = excluded.fault, is_dead = true
"""
# Only the oldest of a thread may go: what waits behind it is never posted before it.
_CLAIM = """
    UPDATE countersign.letters SET held_until = now() + make_interval(secs => %(hold)s)
    WHERE id = (
        SELECT id FROM countersign.letters AS first
        WHERE NOT is_dead AND starts_with(thread, %(channel)s) AND due_at <= now() AND held_until <= now()
          AND NOT EXISTS (SELECT FROM countersign.letters AS older
                          WHERE older.thread = first.thread AND NOT older.is_dead AND older.id < first.id)
        ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, run, slot, letter, attempts, queued_at
"""
_LATER = """
    UPDATE countersign.letters
    SET attempts = attempts + 1, fault = %s, due_at = now() + make_interval(secs => %s), held_until = '-infinity'
    WHERE id = %s
"""
_BURY = "UPDATE countersign.letters SET is_dead = true, fault = %s, held_until = '-infinity' WHERE id = %s"
_DEAD = """
    SELECT run, thread, slot, fault, queued_at FROM countersign.letters WHERE is_dead
    ORDER BY queued_at DESC, id DESC LIMIT %s
"""
_WAITS = "SELECT EXISTS (SELECT FROM countersign.letters WHERE thread = %s AND NOT is_dead) AS waits"
_COUNT = """
    SELECT count(*) FILTER (WHERE NOT is_dead) AS waiting, count(*) FILTER (WHERE is_dead) AS dead
    FROM countersign.letters
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRow:
    """A row as it waits; `letter` is JSON of its writer."""

    id: int
    run: str
    slot: str
    letter: dict[str, Any]
    attempts: int
    queued_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadRow:
    """A row that was given up."""

    run: str
    thread: str
    slot: str
    fault: str
    queued_at: datetime


class PostgresLetterRows:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, run: str, slot: str, thread: str, letter: dict[str, Any], fault: str, wait: float) -> None:
        """Queue behind the others of the thread, due after `wait` seconds; the same run and slot give way."""
        row = {"run": run, "slot": slot, "thread": thread, "letter": Json(letter), "fault": fault, "wait": wait}
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, row)

    async def put_dead(self, run: str, slot: str, thread: str, letter: dict[str, Any], fault: str) -> None:
        """Keep what cannot be delivered, to be seen."""
        row = {"run": run, "slot": slot, "thread": thread, "letter": Json(letter), "fault": fault}
        async with connected(self._pool) as connection:
            await connection.execute(_PUT_DEAD, row)

    async def waits(self, thread: str) -> bool:
        """Whether something of the thread is not delivered yet."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_WAITS, (thread,))).fetchone()
        return row is not None and bool(row["waits"])

    async def claim(self, channel: str, hold: float) -> LetterRow | None:
        """The first row of a thread of that channel that is due; nobody else gets it for `hold` seconds."""
        async with connected(self._pool) as connection:
            found = await connection.execute(_CLAIM, {"channel": f"{channel}:", "hold": hold})
            row = await found.fetchone()
        return LetterRow(**row) if row else None

    async def done(self, row: int) -> None:
        """Delete the row."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.letters WHERE id = %s", (row,))

    async def later(self, row: int, fault: str, wait: float) -> None:
        """Due again after `wait` seconds."""
        async with connected(self._pool) as connection:
            await connection.execute(_LATER, (fault, wait, row))

    async def bury(self, row: int, fault: str) -> None:
        """Not tried again; kept to be seen."""
        async with connected(self._pool) as connection:
            await connection.execute(_BURY, (fault, row))

    async def dead(self, limit: int) -> tuple[DeadRow, ...]:
        """Rows that were given up, newest first."""
        async with connected(self._pool) as connection:
            found = await connection.execute(_DEAD, (limit,))
            return tuple([DeadRow(**row) async for row in found])

    async def counts(self) -> tuple[int, int]:
        """How many wait, and how many were given up."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_COUNT)).fetchone()
        return (int(row["waiting"]), int(row["dead"])) if row else (0, 0)
