"""Connections to the control database, and the one place where its errors become ours."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from adapters.sockets import is_quiet
from agent.errors import StoreFailed, StoreUnavailable

Connection = AsyncConnection[DictRow]
Pool = AsyncConnectionPool[Connection]

OWN_NAME = "countersign command"
"""What connections of the shell's commands are called; a service has a name of its own (`bot.processes`)."""

# SQLSTATE classes that say the database, not the statement, is at fault: connection, authorisation, missing database,
# rollback, resources, operator intervention and system errors.
_DATABASE_CLASSES = frozenset({"08", "28", "3D", "40", "53", "57", "58"})


def create_pool(url: str, *, max_connections: int = 10, patience: float = 10, name: str = OWN_NAME) -> Pool:
    """A pool that connects when it is first used, and again after the database was away; close it when done.

    `patience` is how many seconds a caller waits for a connection, `name` what the server calls them. Its connections
    also suit LangGraph's saver.
    """
    return AsyncConnectionPool(
        url,
        kwargs=connect_arguments(name),
        min_size=0,
        max_size=max_connections,
        timeout=patience,
        # A failing connect backs off ever longer; giving up early lets the next request try at once.
        reconnect_timeout=patience,
        check=check_standing,
        open=False,
        name="countersign-control",
    )


def connect_arguments(name: str = OWN_NAME) -> dict[str, Any]:
    """What every connection is opened with. Prepared at first use, as the saver asks; a dead peer is noticed soon."""
    return {
        "autocommit": True,
        "prepare_threshold": 0,
        "row_factory": dict_row,
        "application_name": name,
        "client_encoding": "utf8",
        "connect_timeout": 5,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }


@asynccontextmanager
async def connected(pool: Pool) -> AsyncIterator[Connection]:
    """A connection in autocommit mode; raises StoreUnavailable or StoreFailed for what the driver raises inside."""
    with our_errors():
        await pool.open(wait=False)
        async with pool.connection() as connection:
            yield connection


@contextmanager
def our_errors() -> Iterator[None]:
    """Raise StoreUnavailable or StoreFailed for driver errors. The driver's message may quote rows, so it ends here."""
    try:
        yield
    except psycopg.Error as error:
        raise _translated(error) from None


def _translated(error: psycopg.Error) -> StoreUnavailable | StoreFailed:
    detail = " ".join(filter(None, (error.sqlstate, type(error).__name__)))
    return StoreUnavailable(detail) if _is_database_fault(error) else StoreFailed(detail)


def _is_database_fault(error: psycopg.Error) -> bool:
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate[:2] in _DATABASE_CLASSES


async def check_standing(connection: AsyncConnection[Any]) -> None:
    """Raise what the driver raises where an idle connection was lost; asks the server only if something waits on it."""
    if not is_quiet(connection):
        async with asyncio.timeout(2):
            await AsyncConnectionPool.check_connection(connection)
