"""Result rows in PostgreSQL: columnar, compressed, in chunks, until they expire."""

import asyncio
from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from uuid import uuid4

from adapters.control.postgres.columnar import pack, unpack
from adapters.control.postgres.connections import Connection, Pool, connected
from agent.errors import ResultExpired
from agent.ports import Clock
from agent.values.identity import RunId
from agent.values.result import ResultColumn, ResultId, ResultRef, ResultTable, Row

CHUNK_ROWS = 10_000
RECENT_ROWS, RECENT_RESULTS, RECENT_SECONDS = 1_000, 16, 60.0
"""What a process keeps at hand of the results it wrote: at most so many rows each, so many results, and so long."""

_WRITE = "INSERT INTO countersign.results (id, run, row_count, expires_at) VALUES (%s, %s, %s, %s)"
_WRITE_CHUNK = "INSERT INTO countersign.result_chunks (result, number, content) VALUES (%s, %s, %s)"
_READ = """
    SELECT r.row_count, c.content FROM countersign.results r
    LEFT JOIN countersign.result_chunks c ON c.result = r.id AND c.number < %s
    WHERE r.id = %s AND r.expires_at > %s
    ORDER BY c.number
"""


class PostgresResultStore:
    """The `ResultStore` port; keeps each result for `keep`. Raises StoreUnavailable when the database is away."""

    def __init__(self, pool: Pool, clock: Clock, keep: timedelta) -> None:
        self._pool = pool
        self._clock = clock
        self._keep = keep
        self._recent: OrderedDict[RunId, tuple[ResultId, ResultTable, float]] = OrderedDict()

    async def write(
        self, run: RunId, columns: tuple[ResultColumn, ...], rows: tuple[Row, ...], truncated: bool
    ) -> ResultRef:
        """Store rows once. Writing again for the same run replaces them: the earlier reference is then expired."""
        ref = ResultRef(
            id=ResultId(uuid4().hex),
            run=run,
            columns=columns,
            row_count=len(rows),
            truncated=truncated,
            expires_at=self._clock.now() + self._keep,
        )
        chunks = await asyncio.to_thread(_packed, columns, rows)
        async with connected(self._pool) as connection, connection.transaction():
            await _replace(connection, ref, chunks)
        self._remember(ref, rows)
        return ref

    async def read(self, ref: ResultRef, limit: int | None = None) -> ResultTable:
        """The rows, in order, each cell as it was written; `agent.errors.ResultExpired` when they are gone."""
        wanted = ref.row_count if limit is None else min(limit, ref.row_count)
        recent = self._at_hand(ref)
        if recent is not None:
            return replace(recent, rows=recent.rows[:wanted])
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_READ, (-(-wanted // CHUNK_ROWS), ref.id, self._clock.now()))
            found = await cursor.fetchall()
        if not found:
            raise ResultExpired
        chunks = tuple(row["content"] for row in found if row["content"] is not None)
        rows = await asyncio.to_thread(_unpacked, chunks)
        return ResultTable(columns=ref.columns, rows=rows[:wanted])

    def _at_hand(self, ref: ResultRef) -> ResultTable | None:
        """Not for long: whoever deletes a result in the database, such as its asker's wish, deletes it here too."""
        kept, table, until = self._recent.get(ref.run, ("", None, 0.0))
        is_kept = kept == ref.id and monotonic() < until and ref.expires_at > self._clock.now()
        return table if is_kept else None

    def _remember(self, ref: ResultRef, rows: tuple[Row, ...]) -> None:
        """A run reads its own rows several times within a second."""
        self._recent.pop(ref.run, None)
        if len(rows) <= RECENT_ROWS:
            table = ResultTable(columns=ref.columns, rows=rows)
            self._recent[ref.run] = (ref.id, table, monotonic() + RECENT_SECONDS)
        while len(self._recent) > RECENT_RESULTS:
            self._recent.popitem(last=False)

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many results went."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.results WHERE expires_at <= %s", (now,))
            return cursor.rowcount


async def _replace(connection: Connection, ref: ResultRef, chunks: tuple[bytes, ...]) -> None:
    # Two writers of one run wait for each other here; the later one replaces the earlier.
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (ref.run,))
    await connection.execute("DELETE FROM countersign.results WHERE run = %s", (ref.run,))
    await connection.execute(_WRITE, (ref.id, ref.run, ref.row_count, ref.expires_at))
    async with connection.cursor() as cursor:
        await cursor.executemany(_WRITE_CHUNK, [(ref.id, number, chunk) for number, chunk in enumerate(chunks)])


def _packed(columns: tuple[ResultColumn, ...], rows: tuple[Row, ...]) -> tuple[bytes, ...]:
    return tuple(pack(len(columns), rows[start : start + CHUNK_ROWS]) for start in range(0, len(rows), CHUNK_ROWS))


def _unpacked(chunks: tuple[bytes, ...]) -> tuple[Row, ...]:
    return tuple(row for chunk in chunks for row in unpack(chunk))
