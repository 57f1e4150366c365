"""Connections to a warehouse: lazy, checked, read only, and the same settings for every statement."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.adapt import AdaptersMap
from psycopg.postgres import types
from psycopg.rows import TupleRow
from psycopg.types.string import TextLoader
from psycopg_pool import AsyncConnectionPool

from adapters.sockets import is_quiet
from adapters.warehouses.postgres.patience import answering_within

Connection = AsyncConnection[TupleRow]
Pool = AsyncConnectionPool[Connection]

# What a result cell can hold as a value; everything else comes back as the engine's own text.
_CELL_TYPES = frozenset(
    {"bool", "int2", "int4", "int8", "numeric", "float4", "float8", "date", "timestamp", "timestamptz"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarehouseOptions:
    """How one warehouse is used. Times are seconds; `timezone` is the IANA name its timestamps come back in.

    `search_path` is pinned for every statement: governed SQL names its schemas. `lookup_timeout` bounds what we ask on
    our own account (plans, members, newest day); a silent engine is waited for `grace` past its own timeout.
    """

    timezone: str = "UTC"
    search_path: tuple[str, ...] = ("pg_catalog",)
    max_connections: int = 8
    connect_timeout: float = 5
    acquire_timeout: float = 10
    lookup_timeout: float = 15
    grace: float = 5
    batch_rows: int = 200
    application_name: str = "countersign"


def create_pool(url: str, options: WarehouseOptions) -> Pool:
    """A pool that connects when it is first used, and again after the engine was away."""
    return AsyncConnectionPool(
        url,
        kwargs={**connect_arguments(options), "context": _cell_adapters()},
        min_size=0,
        max_size=options.max_connections,
        timeout=options.acquire_timeout,
        # A failing connect backs off ever longer; giving up early lets the next request try at once.
        reconnect_timeout=options.acquire_timeout,
        check=_check,
        open=False,
        name=options.application_name,
    )


def connect_arguments(options: WarehouseOptions) -> dict[str, Any]:
    """What every connection is opened with: a dead peer is noticed in seconds, and poolers between us may reuse it."""
    return {
        "autocommit": True,
        "prepare_threshold": None,
        "application_name": options.application_name,
        "client_encoding": "utf8",
        "connect_timeout": max(2, round(options.connect_timeout)),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }


@asynccontextmanager
async def read_only(pool: Pool, options: WarehouseOptions, seconds: float) -> AsyncIterator[Connection]:
    """A connection inside a READ ONLY transaction whose statements may take `seconds`; always rolled back.

    Settings are local to the transaction, so nothing a statement sets outlives it.
    """
    await pool.open(wait=False)
    async with pool.connection() as connection:
        with answering_within(connection, options.grace):
            await connection.execute(_begin(options, seconds))
        try:
            yield connection
        finally:
            await end(connection, options)


async def end(connection: Connection, options: WarehouseOptions) -> None:
    """Roll back; a connection that cannot be is closed, and the pool replaces it."""
    try:
        with answering_within(connection, options.grace):
            await connection.rollback()
    except (psycopg.Error, TimeoutError):
        await connection.close()


def _begin(options: WarehouseOptions, seconds: float) -> sql.Composed:
    return sql.SQL(
        "BEGIN READ ONLY; SET LOCAL statement_timeout = {}; SET LOCAL search_path = {}; SET LOCAL TimeZone = {}"
    ).format(
        max(1, round(seconds * 1000)),
        sql.SQL(", ").join(map(sql.Identifier, options.search_path)),
        options.timezone,
    )


async def _check(connection: Connection) -> None:
    if not is_quiet(connection):
        with answering_within(connection, 2):
            await AsyncConnectionPool.check_connection(connection)


def _cell_adapters() -> AdaptersMap:
    adapters = AdaptersMap(psycopg.adapters)
    for info in types:
        if info.name not in _CELL_TYPES:
            adapters.register_loader(info.oid, TextLoader)
        if info.array_oid:
            adapters.register_loader(info.array_oid, TextLoader)
    return adapters
