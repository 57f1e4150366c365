"""Brings the control database to the schema this version needs: forward only, one process at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection

from adapters.control.postgres.connections import OWN_NAME, Connection, connect_arguments, our_errors
from agent.errors import StoreFailed

_LOCK = 0x0C047E25
_LOCK_RETRY_SECONDS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered SQL script; `digest` tells whether it is still what was applied."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """SHA-256 of the script, hexadecimal."""
        return sha256(self.sql.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """The packaged scripts, in order of their numbers."""
    scripts = files("adapters.control.postgres").joinpath("migrations").iterdir()
    found = (
        Migration(number=int(item.name.partition("_")[0]), name=item.name, sql=item.read_text(encoding="utf-8"))
        for item in scripts
        if item.name.endswith(".sql")
    )
    return tuple(sorted(found, key=lambda migration: migration.number))


async def migrate(url: str, name: str = OWN_NAME) -> tuple[str, ...]:
    """Apply what is missing, the checkpoint tables included; the names of the scripts that were applied.

    Safe to call from several processes at once and to repeat. Raises StoreUnavailable, and StoreFailed when an applied
    script was edited since or a script is refused; a refused script leaves nothing behind.
    """
    async with changing_tables(url, name) as connection:
        await _prepare(connection)
        applied = await _apply_missing(connection)
        await AsyncPostgresSaver(connection).setup()
        return applied


@asynccontextmanager
async def changing_tables(url: str, name: str = OWN_NAME) -> AsyncIterator[Connection]:
    """While inside, no other process changes the database's tables. Raises StoreUnavailable, StoreFailed."""
    with our_errors():
        connection = await AsyncConnection.connect(url, **connect_arguments(name))
        async with connection, _alone(connection):
            yield connection


@asynccontextmanager
async def _alone(connection: Connection) -> AsyncIterator[None]:
    # Waiting inside pg_advisory_lock would hold a snapshot, and the saver's CREATE INDEX CONCURRENTLY waits for those.
    while not await _value(connection, "SELECT pg_try_advisory_lock(%s) AS value", _LOCK):  # noqa: ASYNC110 — in PostgreSQL
        await asyncio.sleep(_LOCK_RETRY_SECONDS)
    try:
        yield
    finally:
        await connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


async def _prepare(connection: Connection) -> None:
    await connection.execute("CREATE SCHEMA IF NOT EXISTS countersign")
    await connection.execute(
        """
        CREATE TABLE IF NOT EXISTS countersign.migrations (
            number integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """
    )


async def _apply_missing(connection: Connection) -> tuple[str, ...]:
    cursor = await connection.execute("SELECT number, digest FROM countersign.migrations")
    done = {row["number"]: row["digest"] for row in await cursor.fetchall()}
    applied = []
    for migration in migrations():
        if migration.number not in done:
            await _apply(connection, migration)
            applied.append(migration.name)
        elif done[migration.number] != migration.digest:
            raise StoreFailed(f"migration {migration.name} was edited after it had been applied")
    return tuple(applied)


async def _apply(connection: Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.sql.encode(), prepare=False)
        await connection.execute(
            "INSERT INTO countersign.migrations (number, name, digest) VALUES (%s, %s, %s)",
            (migration.number, migration.name, migration.digest),
        )


async def _value(connection: Connection, query: str, *params: object) -> object:
    cursor = await connection.execute(query.encode(), params)
    row = await cursor.fetchone()
    return None if row is None else row["value"]
