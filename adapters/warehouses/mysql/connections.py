"""Connections to a warehouse: lazy, checked, read only, and the same settings for every statement."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from asyncmy import Connection, Pool, connect
from asyncmy.cursors import SSCursor
from asyncmy.errors import MySQLError

from adapters.warehouses.mysql.address import driver_arguments
from adapters.warehouses.mysql.errors import is_lost
from adapters.warehouses.mysql.session import READ_ONLY_SESSION, READ_ONLY_TRANSACTION, settings

MOST_APART = 2
"""Connections beside the pool: the engine's health, and statements that are stopped."""

_CHECK_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MySqlOptions:
    """How one warehouse is used. Times are seconds; `timezone` is the IANA name its timestamps come back in.

    `lookup_timeout` bounds what we ask on our own account (plans, members, newest day); a silent engine is waited for
    `grace` past its own timeout.
    """

    timezone: str = "UTC"
    max_connections: int = 8
    connect_timeout: float = 5
    acquire_timeout: float = 10
    lookup_timeout: float = 15
    grace: float = 5
    batch_rows: int = 200
    application_name: str = "countersign"


class Connections:
    """The connections of one account, opened when they are first needed and again after the engine was away."""

    def __init__(self, url: str, options: MySqlOptions) -> None:
        self._arguments = {**driver_arguments(url), **_arguments(options)}
        self._options = options
        self._pool: Pool | None = None
        self._apart = asyncio.Semaphore(MOST_APART)

    @property
    def database(self) -> str:
        """The database that plain table names are looked up in; empty where there is none."""
        return self._arguments["database"] or ""

    async def close(self) -> None:
        """Give up all connections, also those in use."""
        if self._pool is not None:
            self._pool.terminate()
            await self._pool.wait_closed()

    @asynccontextmanager
    async def read_only(self, seconds: float) -> AsyncIterator[Connection]:
        """A connection inside a READ ONLY transaction whose statements may take `seconds`; always rolled back."""
        pool, options = self._opened(), self._options
        async with asyncio.timeout(options.acquire_timeout):
            connection = await pool.acquire()
        try:
            async with asyncio.timeout(options.grace):
                await _revive(connection)
                await rows_of(connection, settings(options.timezone, seconds, datetime.now(UTC)))
                await rows_of(connection, READ_ONLY_TRANSACTION)
            yield connection
        except MySQLError as error:
            if is_lost(error):
                connection.close()
            raise
        finally:
            await _end(connection, options.grace)
            pool.release(connection)

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[Connection]:
        """A connection of its own, outside the pool, which may be used up; `MOST_APART` of them at once."""
        async with self._apart:
            connection = await connect(**self._arguments)
            try:
                yield connection
            finally:
                connection.close()

    def _opened(self) -> Pool:
        # The driver's pool belongs to the event loop that runs while it is made.
        if self._pool is None:
            self._pool = Pool(minsize=0, maxsize=self._options.max_connections, **self._arguments)
        return self._pool


async def rows_of(connection: Connection, statement: str, arguments: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """All rows of a statement of ours; without arguments a `%` in it is a `%`."""
    # The driver's other cursors ask for the engine's warnings and log them, and those may quote row data.
    cursor = connection.cursor(SSCursor)
    await cursor.execute(statement, arguments or None)
    rows: list[tuple[Any, ...]] = await cursor.fetchall()
    return rows


def _arguments(options: MySqlOptions) -> dict[str, Any]:
    return {
        "charset": "utf8mb4",
        "autocommit": True,
        "local_infile": False,
        "connect_timeout": options.connect_timeout,
        "program_name": options.application_name,
        "init_command": READ_ONLY_SESSION,
    }


async def _revive(connection: Connection) -> None:
    """Connect again where the engine has left a connection that was kept."""
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            await connection.ping(reconnect=False)
    except (MySQLError, TimeoutError):
        connection.close()
        await connection.connect()


async def _end(connection: Connection, grace: float) -> None:
    """Roll back; a connection that cannot be is closed, and the pool forgets it."""
    if not connection.connected:
        return
    try:
        async with asyncio.timeout(grace):
            await connection.rollback()
    except (MySQLError, TimeoutError):
        connection.close()


async def kill(connections: Connections, thread_id: int, grace: float, *, whole: bool) -> None:
    """Stop another connection's statement, or with `whole` the connection itself."""
    what = "CONNECTION" if whole else "QUERY"
    async with asyncio.timeout(grace), connections.apart() as connection:
        await rows_of(connection, f"KILL {what} {thread_id}")


async def discard(connections: Connections, connection: Connection, grace: float) -> None:
    """Close a connection whose statement has not ended, and end the statement."""
    thread_id = connection.thread_id()
    connection.close()
    # An engine that is gone runs nothing; one that does not admit us ends the statement at its own timeout.
    with suppress(MySQLError, TimeoutError):
        await kill(connections, thread_id, grace, whole=True)
