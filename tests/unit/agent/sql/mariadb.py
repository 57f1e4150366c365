"""Databases of their own in the tests' MariaDB, asked in plain SQL."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import asyncmy

from bot import embedded
from tests.services import FOLDER

Rows = tuple[tuple[object, ...], ...]


@contextmanager
def mariadb_holding(tables: str) -> Iterator[Callable[[str], Rows]]:
    """What answers SQL in a session five hours behind UTC, once the statements of `tables` ran."""
    with own_mariadb() as (runner, connection):

        def ask(sql: str) -> Rows:
            return runner.run(rows_of(connection, sql))

        for statement in ("SET time_zone = '-05:00'", *filter(str.strip, tables.split(";"))):
            ask(statement)
        yield ask


@contextmanager
def own_mariadb() -> Iterator[tuple[asyncio.Runner, asyncmy.Connection]]:
    """The superuser's connection to an empty database, and what runs its coroutines."""
    server = embedded.start_mariadb(FOLDER)
    assert server is not None
    socket = parse_qs(urlsplit(server.root).query)["unix_socket"][0]
    name = f"test_{uuid4().hex[:12]}"
    with asyncio.Runner() as runner:
        connection = runner.run(_connected(socket))
        runner.run(rows_of(connection, f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"))
        try:
            runner.run(rows_of(connection, f"USE {name}"))
            yield runner, connection
        finally:
            runner.run(rows_of(connection, f"DROP DATABASE {name}"))
            connection.close()


async def rows_of(connection: asyncmy.Connection, sql: str) -> Rows:
    """All rows of one statement."""
    async with connection.cursor() as cursor:
        await cursor.execute(sql)
        return tuple(await cursor.fetchall())


async def _connected(socket: str) -> asyncmy.Connection:
    return await asyncmy.connect(user="root", unix_socket=socket, autocommit=True)
