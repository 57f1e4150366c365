"""Which processes serve the control database, and whether one more fits what the server allows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from adapters.control.postgres.connections import Connection, Pool, connect_arguments, connected, our_errors

BEAT_EVERY_SECONDS = 5.0
DEAD_AFTER_SECONDS = 20.0
"""Of a process that was not seen for so long nothing is expected any more, its connections neither."""

_ADMISSION = 0x0C047E26
# One that was killed is gone from the server at once, and from the list after one missed beat.
_LIVE = f"""
    p.seen_at > now() - interval '{DEAD_AFTER_SECONDS} seconds' AND (
        p.seen_at > now() - interval '8 seconds'
        OR EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = current_database() AND a.application_name = p.name)
    )
"""
_PROCESSES = f"SELECT p.*, {_LIVE} AS is_live, now() AS asked_at FROM countersign.processes p ORDER BY started_at, id"
# Background workers serve no user; what other users' connections are called is hidden from us, that they are is not.
_ROOM = f"""
    WITH ours AS (SELECT name FROM countersign.processes p WHERE {_LIVE}),
    others AS (
        SELECT datid, usesysid FROM pg_stat_activity
        WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND pid <> pg_backend_pid()
          AND NOT (datname = current_database() AND coalesce(application_name, '') IN (SELECT name FROM ours))
    ),
    here AS (SELECT oid, datconnlimit FROM pg_database WHERE datname = current_database()),
    me AS (SELECT oid, rolconnlimit FROM pg_roles WHERE rolname = current_user),
    server AS (
        SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
               - coalesce(current_setting('reserved_connections', true)::int, 0) AS most
    )
    SELECT (SELECT most FROM server) AS most, (SELECT count(*) FROM others) AS others,
           least(
               (SELECT most FROM server) - (SELECT count(*) FROM others),
               (SELECT CASE WHEN datconnlimit < 0 THEN NULL
                       ELSE datconnlimit - (SELECT count(*) FROM others WHERE datid = oid) END FROM here),
               (SELECT CASE WHEN rolconnlimit < 0 THEN NULL
                       ELSE rolconnlimit - (SELECT count(*) FROM others WHERE usesysid = oid) END FROM me)
           ) AS allowed
"""
_CLAIMED = f"SELECT coalesce(sum(connections), 0)::int AS claimed FROM countersign.processes p WHERE {_LIVE}"
_ENTER = """
    INSERT INTO countersign.processes (id, kind, host, pid, name, version, connections)
    VALUES (%(id)s, %(kind)s, %(host)s, %(pid)s, %(name)s, %(version)s, %(connections)s)
"""
_BEAT = """
    INSERT INTO countersign.processes (id, kind, host, pid, name, version, connections, catalog, policy, models, faults)
    VALUES (%(id)s, %(kind)s, %(host)s, %(pid)s, %(name)s, %(version)s, %(connections)s,
            %(catalog)s, %(policy)s, %(models)s, %(faults)s)
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), catalog = excluded.catalog, policy = excluded.policy,
        models = excluded.models, faults = excluded.faults
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process. `name` is the application_name of its connections, of which it opens at most `connections`."""

    id: str
    kind: str
    host: str
    pid: int
    name: str
    version: str
    connections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """The versions of catalog, policy and models that a process works by, and which of the three it could not read."""

    catalog: str = ""
    policy: str = ""
    models: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenProcess:
    """A process as it was seen last, `silent_seconds` ago; one that is not live ended without a word."""

    process: Process
    in_force: InForce
    started_at: datetime
    silent_seconds: float
    is_live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Connections of the control database: at most `allowed` for all our processes together, `claimed` by live ones.

    `others` are open and not ours. `allowed` is what the server leaves, or what was set.
    """

    allowed: int
    claimed: int
    others: int
    most: int

    def fits(self, connections: int) -> bool:
        """Whether a process with so many finds room."""
        return self.claimed + connections <= self.allowed


class PostgresProcesses:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, budget: int = 0) -> None:
        """`budget` is the most that all processes may open together; what the server allows if 0."""
        self._pool = pool
        self._budget = budget

    async def beat(self, process: Process, in_force: InForce) -> None:
        """The process lives, and works by these versions."""
        told = {name: getattr(in_force, name) for name in ("catalog", "policy", "models")}
        async with connected(self._pool) as connection:
            await connection.execute(_BEAT, {**_columns(process), **told, "faults": list(in_force.faults)})

    async def leave(self, process: Process) -> None:
        """The process ends."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.processes WHERE id = %s", (process.id,))

    async def all(self) -> tuple[SeenProcess, ...]:
        """Every process that has not said that it ends, in the order of their starts."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_PROCESSES.encode())).fetchall()
        return tuple(map(_seen, rows))

    async def room(self) -> Room:
        """What is allowed and what is claimed now."""
        async with connected(self._pool) as connection:
            return await _room(connection, self._budget)


async def admit(url: str, process: Process, budget: int) -> Room:
    """Enter the process if its connections fit beside those of the live ones; the room that it found.

    Several processes that start at once are admitted one after the other. Raises StoreUnavailable.
    """
    with our_errors():
        async with (
            await AsyncConnection.connect(url, **connect_arguments(process.name)) as connection,
            connection.transaction(),
        ):
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_ADMISSION,))
            room = await _room(connection, budget)
            if room.fits(process.connections):
                await connection.execute(_ENTER, _columns(process))
            return room


async def _room(connection: Connection, budget: int) -> Room:
    (room,) = await (await connection.execute(_ROOM.encode())).fetchall()
    (sums,) = await (await connection.execute(_CLAIMED.encode())).fetchall()
    return Room(allowed=budget or room["allowed"], claimed=sums["claimed"], others=room["others"], most=room["most"])


def _columns(process: Process) -> Mapping[str, object]:
    return {name: getattr(process, name) for name in Process.__dataclass_fields__}


def _seen(row: DictRow) -> SeenProcess:
    return SeenProcess(
        process=Process(**{name: row[name] for name in Process.__dataclass_fields__}),
        in_force=InForce(
            catalog=row["catalog"], policy=row["policy"], models=row["models"], faults=tuple(row["faults"])
        ),
        started_at=row["started_at"],
        silent_seconds=(row["asked_at"] - row["seen_at"]).total_seconds(),
        is_live=row["is_live"],
    )
