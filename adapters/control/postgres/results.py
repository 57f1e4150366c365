"""Result rows in PostgreSQL: columnar, compressed, in chunks, until they expire."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from uuid import uuid4

from adapters.control.postgres.columnar import pack, unpack
from adapters.control.postgres.connections import Connection, Pool, connected
from adapters.control.postgres.spool import Spool, SpooledRows
from agent.errors import ResultExpired
from agent.ports import Clock
from agent.values.identity import RunId
from agent.values.result import LONG_ROWS, LongRows, ResultColumn, ResultId, ResultRef, ResultTable, Row

CHUNK_ROWS = 10_000
RECENT_ROWS, RECENT_RESULTS, RECENT_SECONDS = 1_000, 16, 60.0
"""What a process keeps at hand of the results it wrote or read: short ones, and long ones in files of its own."""

_WRITE = "INSERT INTO countersign.results (id, run, row_count, expires_at) VALUES (%s, %s, %s, %s)"
_WRITE_CHUNK = "INSERT INTO countersign.result_chunks (result, number, content) VALUES (%s, %s, %s)"
_READ = """
    SELECT r.row_count, c.content FROM countersign.results r
    LEFT JOIN countersign.result_chunks c ON c.result = r.id AND c.number < %s
    WHERE r.id = %s AND r.expires_at > %s
    ORDER BY c.number
"""
_READ_CHUNK = """
    SELECT c.content FROM countersign.results r JOIN countersign.result_chunks c ON c.result = r.id AND c.number = %s
    WHERE r.id = %s AND r.expires_at > %s
"""


class PostgresResultStore:
    """The `ResultStore` port; keeps each result for `keep`. Raises StoreUnavailable when the database is away."""

    def __init__(self, pool: Pool, clock: Clock, keep: timedelta) -> None:
        self._pool = pool
        self._clock = clock
        self._keep = keep
        self._recent: OrderedDict[RunId, tuple[ResultId, ResultTable, float]] = OrderedDict()

    async def write(
        self, run: RunId, columns: tuple[ResultColumn, ...], rows: Sequence[Row], truncated: bool
    ) -> ResultRef:
        """Store rows once. Writing again for the same run replaces them: the earlier reference is then expired."""
        if len(rows) > LONG_ROWS:
            ref = await self.write_batches(run, _batches(rows), lambda: columns, len(rows))
            return replace(ref, truncated=truncated)
        ref = self._ref(run, columns, len(rows), truncated)
        chunks = await asyncio.to_thread(_packed, rows)
        await self._store(ref, len(chunks), chunks.__getitem__)
        self._remember(ref, rows)
        return ref

    async def write_batches(
        self,
        run: RunId,
        batches: AsyncIterator[Sequence[Row]],
        columns: Callable[[], tuple[ResultColumn, ...]],
        most: int,
    ) -> ResultRef:
        """Store rows as they come, all or none; of more than `most` the first, and the result is truncated."""
        spool, waiting, spooled, truncated = Spool(), list[Row](), 0, False
        async for batch in batches:
            room = most - spooled - len(waiting)
            truncated = truncated or len(batch) > room
            waiting += batch[:room]
            while len(waiting) >= CHUNK_ROWS:
                await asyncio.to_thread(_keep_piece, spool, waiting[:CHUNK_ROWS])
                spooled, waiting = spooled + CHUNK_ROWS, waiting[CHUNK_ROWS:]
        if not spooled:
            return await self.write(run, columns(), tuple(waiting), truncated)
        if waiting:
            await asyncio.to_thread(_keep_piece, spool, waiting)
        ref = self._ref(run, columns(), spooled + len(waiting), truncated)
        await self._store(ref, len(spool), spool.packed)
        if ref.row_count > LONG_ROWS:
            self._remember(ref, SpooledRows(spool))
        return ref

    async def read(self, ref: ResultRef, limit: int | None = None) -> ResultTable:
        """The rows, in order, each cell as it was written; `agent.errors.ResultExpired` when they are gone."""
        wanted = ref.row_count if limit is None else min(limit, ref.row_count)
        recent = self._at_hand(ref)
        if recent is not None:
            return recent if wanted == ref.row_count else replace(recent, rows=recent.rows[:wanted])
        if wanted > LONG_ROWS:
            return await self._read_long(ref, wanted)
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_READ, (-(-wanted // CHUNK_ROWS), ref.id, self._clock.now()))
            found = await cursor.fetchall()
        if not found:
            raise ResultExpired
        chunks = tuple(row["content"] for row in found if row["content"] is not None)
        rows = await asyncio.to_thread(_unpacked, chunks)
        return ResultTable(columns=ref.columns, rows=rows[:wanted])

    async def _read_long(self, ref: ResultRef, wanted: int) -> ResultTable:
        spool = Spool()
        for number in range(-(-wanted // CHUNK_ROWS)):
            async with connected(self._pool) as connection:
                cursor = await connection.execute(_READ_CHUNK, (number, ref.id, self._clock.now()), binary=True)
                found = await cursor.fetchone()
            if found is None:
                raise ResultExpired
            rows = min(CHUNK_ROWS, ref.row_count - number * CHUNK_ROWS)
            await asyncio.to_thread(spool.add, found["content"], rows)
        rows_of = SpooledRows(spool)
        if wanted < ref.row_count:
            return ResultTable(columns=ref.columns, rows=rows_of[:wanted])
        self._remember(ref, rows_of)
        return ResultTable(columns=ref.columns, rows=rows_of)

    def _ref(self, run: RunId, columns: tuple[ResultColumn, ...], rows: int, truncated: bool) -> ResultRef:
        return ResultRef(
            id=ResultId(uuid4().hex),
            run=run,
            columns=columns,
            row_count=rows,
            truncated=truncated,
            expires_at=self._clock.now() + self._keep,
        )

    async def _store(self, ref: ResultRef, chunks: int, packed: Callable[[int], bytes]) -> None:
        async with connected(self._pool) as connection, _at_once(connection, chunks), connection.transaction():
            await _replace(connection, ref)
            for number in range(chunks):
                await connection.execute(_WRITE_CHUNK, (ref.id, number, packed(number)))

    def _at_hand(self, ref: ResultRef) -> ResultTable | None:
        """Not for long: whoever deletes a result in the database, such as its asker's wish, deletes it here too."""
        kept, table, until = self._recent.get(ref.run, ("", None, 0.0))
        is_kept = kept == ref.id and monotonic() < until and ref.expires_at > self._clock.now()
        return table if is_kept else None

    def _remember(self, ref: ResultRef, rows: Sequence[Row]) -> None:
        """A run reads its own rows several times within a second."""
        self._recent.pop(ref.run, None)
        if len(rows) <= RECENT_ROWS or isinstance(rows, LongRows):
            table = ResultTable(columns=ref.columns, rows=rows)
            self._recent[ref.run] = (ref.id, table, monotonic() + RECENT_SECONDS)
        while len(self._recent) > RECENT_RESULTS:
            self._recent.popitem(last=False)

    async def expire(self, now: datetime) -> int:
        """Delete what is past its time; how many results went."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("DELETE FROM countersign.results WHERE expires_at <= %s", (now,))
            return cursor.rowcount


def _at_once(connection: Connection, chunks: int) -> AbstractAsyncContextManager[object]:
    """Few chunks go to the database in one way; many would all wait in memory for it."""
    return connection.pipeline() if chunks <= 1 else nullcontext()


async def _replace(connection: Connection, ref: ResultRef) -> None:
    # Two writers of one run wait for each other here; the later one replaces the earlier.
    await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (ref.run,))
    await connection.execute("DELETE FROM countersign.results WHERE run = %s", (ref.run,))
    await connection.execute(_WRITE, (ref.id, ref.run, ref.row_count, ref.expires_at))


async def _batches(rows: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    for start in range(0, len(rows), CHUNK_ROWS):
        yield rows[start : start + CHUNK_ROWS]


def _keep_piece(spool: Spool, rows: Sequence[Row]) -> None:
    spool.add(pack(len(rows[0]), rows), len(rows))


def _packed(rows: Sequence[Row]) -> tuple[bytes, ...]:
    starts = range(0, len(rows), CHUNK_ROWS)
    return tuple(pack(len(rows[0]), rows[start : start + CHUNK_ROWS]) for start in starts)


def _unpacked(chunks: tuple[bytes, ...]) -> tuple[Row, ...]:
    return tuple(row for chunk in chunks for row in unpack(chunk))
