"""How much waits in the control database: turns, proposals, and the size of what is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from psycopg.rows import DictRow

from adapters.control.postgres.connections import Connection, Pool, connected

_TURNS = """
    SELECT count(*) FILTER (WHERE status = 'todo' AND NOT later) AS waiting,
           count(*) FILTER (WHERE status = 'todo' AND later) AS retrying,
           count(*) FILTER (WHERE status = 'doing') AS running,
           coalesce(extract(epoch FROM now() - min(
               (SELECT coalesce(j.scheduled_at, min(e.at)) FROM procrastinate_events e WHERE e.job_id = j.id)
           ) FILTER (WHERE status = 'todo' AND NOT later)), 0)::float8 AS oldest
    FROM (SELECT *, coalesce(scheduled_at > now(), false) AS later FROM procrastinate_jobs
          WHERE queue_name = 'turns' AND status IN ('todo', 'doing')) AS j
"""
_WORKERS = """
    SELECT count(*) AS alive FROM procrastinate_workers WHERE last_heartbeat > now() - interval '20 seconds'
"""
_APPROVALS = """
    SELECT count(*) AS pending, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest
    FROM countersign.runs AS r
    WHERE status = 'awaiting_approval'
      AND NOT EXISTS (SELECT FROM countersign.decisions d WHERE d.run = r.run AND d.revision = r.revision)
"""
_LETTERS = """
    SELECT count(*) FILTER (WHERE NOT is_dead) AS waiting, count(*) FILTER (WHERE is_dead) AS dead
    FROM countersign.letters
"""
_AUDIT = """
    SELECT extract(epoch FROM now() - max(checked_at))::float8 AS age, bool_or(broken_at IS NOT NULL) AS broken
    FROM countersign.audit_check
"""
_TABLES = """
    SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'countersign' AND c.relkind = 'r'
       OR n.nspname = 'public' AND c.relkind = 'r' AND c.relname LIKE ANY (ARRAY['procrastinate%', 'checkpoint%'])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What waits, in the whole service. Ages are seconds, 0 where nothing waits; sizes are bytes with indexes.

    `waiting` turns could run now, `retrying` ones come back later. `workers` had a heartbeat within 20 seconds.
    `letters` are deliveries that are tried again, `dead_letters` those that were given up. `audit_age` is how long ago
    the audit log was verified (None: never), `audit_broken` whether that found it changed.
    """

    waiting: int
    retrying: int
    running: int
    oldest: float
    workers: int
    letters: int
    dead_letters: int
    approvals: int
    oldest_approval: float
    audit_age: float | None = None
    audit_broken: bool = False
    tables: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


class PostgresBacklog:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def read(self) -> Backlog:
        """What waits now."""
        async with connected(self._pool) as connection:
            (turns,) = await _rows(connection, _TURNS)
            (workers,) = await _rows(connection, _WORKERS)
            (letters,) = await _rows(connection, _LETTERS)
            (approvals,) = await _rows(connection, _APPROVALS)
            (audit,) = await _rows(connection, _AUDIT)
            tables = await _rows(connection, _TABLES)
        return Backlog(
            waiting=turns["waiting"],
            retrying=turns["retrying"],
            running=turns["running"],
            oldest=turns["oldest"],
            workers=workers["alive"],
            letters=letters["waiting"],
            dead_letters=letters["dead"],
            approvals=approvals["pending"],
            oldest_approval=approvals["oldest"],
            audit_age=audit["age"],
            audit_broken=bool(audit["broken"]),
            tables=MappingProxyType({row["name"]: row["bytes"] for row in tables}),
        )


async def _rows(connection: Connection, query: str) -> list[DictRow]:
    return await (await connection.execute(query.encode())).fetchall()
