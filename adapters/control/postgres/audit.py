"""The audit log in PostgreSQL: append-only, each row chained to the one before by hash."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from psycopg.rows import DictRow

from adapters.control.postgres.connections import Connection, Pool, connected
from agent.codec import encode
from agent.ports import Clock
from agent.values.identity import RunId
from agent.values.run_event import RunEvent

CUT = "audit_cut"
"""The event that announces the removal of the oldest part of the log."""

_PAGE = 1000

# One statement takes the head's lock, so events of all processes form one chain without gaps.
_APPEND = """
    WITH head AS (SELECT id, hash FROM countersign.audit_head FOR UPDATE),
    added AS (
        INSERT INTO countersign.audit (id, run, event, by_whom, at, facts, previous_hash, hash, once)
        SELECT head.id + 1, %(run)s, %(event)s, %(by)s, %(at)s, %(facts)s, head.hash,
               encode(sha256(convert_to(head.hash || %(body)s, 'UTF8')), 'hex'), nullif(%(once)s, '')
        FROM head
        ON CONFLICT (run, once) WHERE once IS NOT NULL DO NOTHING
        RETURNING id, hash
    )
    UPDATE countersign.audit_head SET id = added.id, hash = added.hash FROM added
"""
_READ = """
    SELECT id, run, event, by_whom, at, facts, previous_hash, hash FROM countersign.audit
    WHERE id > %s ORDER BY id LIMIT %s
"""


_ENTRIES = """
    SELECT id, run, event, by_whom, at, facts, hash FROM countersign.audit
    WHERE id > %(last)s AND starts_with(run, %(run)s) AND at >= %(since)s
    ORDER BY id LIMIT %(page)s
"""
_LAST_BEFORE = """
    SELECT id, run, event, by_whom, at, facts, hash FROM countersign.audit
    WHERE id < coalesce((SELECT min(id) FROM countersign.audit WHERE at >= %(at)s), 9223372036854775807)
    ORDER BY id DESC LIMIT 1
"""
_CHECKED = """
    INSERT INTO countersign.audit_check (checked_at, broken_at) VALUES (now(), %(broken)s)
    ON CONFLICT (only_row) DO UPDATE SET checked_at = excluded.checked_at, broken_at = excluded.broken_at
"""
_FIRST = datetime(1, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row of the log, with the hash that chains it. `at` is aware; `facts` hold no row data and nobody's words."""

    id: int
    run: str
    event: str
    by: str
    at: datetime
    facts: dict[str, Any]
    hash: str


class PostgresAuditLog:
    """The audit log. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def append(self, run: RunId, event: str, by: str, facts: dict[str, Any], once: str = "") -> None:
        """Add one event. `facts` are plain values; never row data or message bodies.

        A second event of the run under the same `once` (not empty) changes nothing.
        """
        await self.append_all(run, (RunEvent(name=event, by=by, facts=facts, once=once),))

    async def append_all(self, run: RunId, events: Sequence[RunEvent]) -> None:
        """Add several events of the run in their order, all or none: one way to the database."""
        values = [_values(run, event, self._clock.now()) for event in events]
        async with connected(self._pool) as connection, connection.cursor() as cursor:
            await cursor.executemany(_APPEND, values)

    async def entries(self, run: str = "", since: datetime | None = None) -> AsyncIterator[AuditEntry]:
        """The log in order, read in pages: of runs whose id starts with `run`, from the aware instant `since` on."""
        last = 0
        while page := await self._page(last, run, since or _FIRST):
            for entry in page:
                yield entry
            last = page[-1].id

    async def _page(self, last: int, run: str, since: datetime) -> tuple[AuditEntry, ...]:
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_ENTRIES, {"last": last, "run": run, "since": since, "page": _PAGE})
            rows = await cursor.fetchall()
        return tuple(_entry(row) for row in rows)

    async def last_before(self, at: datetime) -> AuditEntry | None:
        """The newest entry such that it and all before it are older than the aware instant `at`."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_LAST_BEFORE, {"at": at})).fetchone()
        return None if row is None else _entry(row)

    async def cut(self, last: AuditEntry, by: str) -> int:
        """Remove the log up to `last`, once that is announced in the log itself; how many entries went.

        Export them first: they are gone. What stays verifies as before, from `last`'s hash on.
        """
        facts = {"last": last.id, "hash": last.hash}
        await self.append(RunId(""), CUT, by, facts, f"{CUT}:{last.id}")
        async with connected(self._pool) as connection:
            row = await (await connection.execute("SELECT countersign.cut_audit(%s) AS cut", (last.id,))).fetchone()
        return int(row["cut"]) if row else 0

    async def check(self) -> int | None:
        """Verify the log and keep, for every process to tell, when that was and what it found."""
        broken = await self.verify()
        async with connected(self._pool) as connection:
            await connection.execute(_CHECKED, {"broken": broken})
        return broken

    async def verify(self) -> int | None:
        """The id of the first row that was changed, removed or added behind the log's back; None when all is whole.

        A log that was cut begins after the entry that its anchor names.
        """
        async with connected(self._pool) as connection, connection.transaction():
            # One snapshot for rows and head.
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return await _first_broken(connection)


def _values(run: RunId, event: RunEvent, at: datetime) -> dict[str, object]:
    written = _canonical(encode(event.facts))
    body = _body(run, event.name, event.by, at, written)
    values = {"run": run, "event": event.name, "by": event.by, "at": at, "facts": written}
    return {**values, "body": body, "once": event.once}


def _entry(row: DictRow) -> AuditEntry:
    return AuditEntry(
        id=row["id"],
        run=row["run"],
        event=row["event"],
        by=row["by_whom"],
        at=row["at"],
        facts=json.loads(row["facts"]),
        hash=row["hash"],
    )


async def _first_broken(connection: Connection) -> int | None:
    anchor = await _row(connection, "SELECT id, hash FROM countersign.audit_anchor")
    start = int(anchor["id"])
    last, previous, told = start, anchor["hash"], start == 0
    while rows := await (await connection.execute(_READ, (last, _PAGE))).fetchall():
        for row in rows:
            if row["id"] != last + 1 or row["previous_hash"] != previous or row["hash"] != _hash_of(row):
                return last + 1
            last, previous = int(row["id"]), row["hash"]
            told = told or _tells_of(row, anchor)
    head = await _row(connection, "SELECT id, hash FROM countersign.audit_head")
    if not told:
        return start + 1
    return None if head == {"id": last, "hash": previous} else last + 1


def _tells_of(row: DictRow, anchor: DictRow) -> bool:
    """Whether the entry announced that the log would be cut up to there: whoever cuts it unannounced is found out."""
    facts = json.loads(row["facts"]) if row["event"] == CUT else {}
    return bool(facts) and facts.get("last") == anchor["id"] and facts.get("hash") == anchor["hash"]


async def _row(connection: Connection, query: str) -> DictRow:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None
    return row


def _hash_of(row: DictRow) -> str:
    body = _body(row["run"], row["event"], row["by_whom"], row["at"], row["facts"])
    return sha256(f"{row['previous_hash']}{body}".encode()).hexdigest()


def _body(run: str, event: str, by: str, at: datetime, facts: str) -> str:
    instant = at.astimezone(UTC).isoformat(timespec="microseconds")
    return _canonical({"run": run, "event": event, "by": by, "at": instant, "facts": facts})


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
