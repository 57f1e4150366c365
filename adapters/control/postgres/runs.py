"""Runs in PostgreSQL, and the one place where a proposal is decided."""

from datetime import datetime

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.governance import Decision
from agent.values.identity import RunId, ThreadKey
from agent.values.outcome import RunRecord

_CREATE = """
    INSERT INTO countersign.runs
        (run, thread, asker, status, fingerprint, revision, created_at, expires_at, moved_by, record)
    VALUES (%(run)s, %(thread)s, %(asker)s, %(status)s, %(fingerprint)s, %(revision)s, %(created_at)s,
            %(expires_at)s, %(moved_by)s, %(record)s)
    ON CONFLICT (run) DO NOTHING
"""

_UPDATE = """
    UPDATE countersign.runs
    SET status = %(status)s, fingerprint = %(fingerprint)s, revision = %(revision)s, expires_at = %(expires_at)s,
        moved_by = %(moved_by)s, record = %(record)s
    WHERE run = %(run)s
"""

# One statement is one compare-and-set: the row lock re-reads a run that changes meanwhile, the primary key lets one
# decision per revision in, and the conflict clause recognises the very same decision arriving again.
_DECIDE = """
    WITH open AS (
        SELECT run, revision FROM countersign.runs
        WHERE run = %(run)s AND status = 'awaiting_approval' AND fingerprint = %(fingerprint)s
          AND %(revision)s IN (0, revision)
          AND CASE WHEN %(kind)s = 'expire' THEN expires_at <= %(at)s ELSE coalesce(expires_at > %(at)s, true) END
        FOR UPDATE
    )
    INSERT INTO countersign.decisions AS decided (run, revision, kind, decided_by, fingerprint, text, event, decision)
    SELECT run, revision, %(kind)s, %(by)s, %(fingerprint)s, %(text)s, %(event)s, %(decision)s FROM open
    ON CONFLICT (run, revision) DO UPDATE SET revision = excluded.revision
    WHERE (decided.kind, decided.decided_by, decided.fingerprint, decided.text, decided.event)
        = (excluded.kind, excluded.decided_by, excluded.fingerprint, excluded.text, excluded.event)
    RETURNING run
"""

_DECISION = "SELECT decision FROM countersign.decisions WHERE run = %s ORDER BY revision DESC LIMIT 1"

_WAITING = """
    SELECT record FROM countersign.runs AS r
    WHERE thread = %s AND status IN ('awaiting_approval', 'needs_clarification')
      AND NOT (status = 'awaiting_approval'
               AND EXISTS (SELECT FROM countersign.decisions d WHERE d.run = r.run AND d.revision = r.revision))
    ORDER BY created_at, run
"""

_EXPIRED = """
    SELECT record FROM countersign.runs AS r
    WHERE status = 'awaiting_approval' AND expires_at <= %s
      AND NOT EXISTS (SELECT FROM countersign.decisions d
                      WHERE d.run = r.run AND d.revision = r.revision AND d.kind <> 'expire')
    ORDER BY expires_at, run
"""


class PostgresRunStore:
    """The run store. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, record: RunRecord) -> None:
        """Store a new run; creating it again changes nothing."""
        async with connected(self._pool) as connection:
            await connection.execute(_CREATE, _columns(record))

    async def get(self, run: RunId) -> RunRecord | None:
        """The run, or None."""
        found = await self._records("SELECT record FROM countersign.runs WHERE run = %s", run)
        return found[0] if found else None

    async def update(self, record: RunRecord) -> None:
        """Replace what is stored of the run; an unknown run stays unknown."""
        async with connected(self._pool) as connection:
            await connection.execute(_UPDATE, _columns(record))

    async def decide(self, run: RunId, decision: Decision) -> bool:
        """Record the decision if the run awaits approval of that very fingerprint, in time, and is undecided.

        `decision.at` must lie before the expiry, for `expire` at or after it. Of several callers exactly one gets True.
        The same decision (kind, person, fingerprint, text, turn) is True again while the run still awaits approval:
        its resume was cut short.
        """
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_DECIDE, _decided(run, decision))
            return await cursor.fetchone() is not None

    async def decision(self, run: RunId) -> Decision | None:
        """The decision on the newest revision that has one."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_DECISION, (run,))).fetchone()
        return None if row is None else decode(Decision, row["decision"])

    async def waiting(self, thread: ThreadKey) -> tuple[RunRecord, ...]:
        """The thread's runs that wait for a person (a decision or a clarification), oldest first."""
        return await self._records(_WAITING, thread)

    async def expired(self, now: datetime) -> tuple[RunRecord, ...]:
        """Runs that await approval past their time, those among them whose expiry was decided but not finished."""
        return await self._records(_EXPIRED, now)

    async def _records(self, query: str, *params: object) -> tuple[RunRecord, ...]:
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(query.encode(), params)).fetchall()
        return tuple(decode(RunRecord, row["record"]) for row in rows)


def _columns(record: RunRecord) -> dict[str, object]:
    return {
        "run": record.run,
        "thread": record.thread,
        "asker": record.asker,
        "status": record.status,
        "fingerprint": record.fingerprint,
        "revision": record.revision,
        "created_at": record.created_at,
        "expires_at": record.expires_at,
        "moved_by": record.moved_by,
        "record": Json(encode(record)),
    }


def _decided(run: RunId, decision: Decision) -> dict[str, object]:
    return {
        "run": run,
        "kind": decision.kind,
        "by": decision.by,
        "at": decision.at,
        "fingerprint": decision.fingerprint,
        "text": decision.text,
        "revision": decision.revision,
        "event": decision.event,
        "decision": Json(encode(decision)),
    }
