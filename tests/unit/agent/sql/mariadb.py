"""A database of its own in the tests' MariaDB, asked in plain SQL."""

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
    server = embedded.start_mariadb(FOLDER)
    assert server is not None
    socket = parse_qs(urlsplit(server.root).query)["unix_socket"][0]
    with asyncio.Runner() as runner:
        connection = runner.run(_connected(socket))
        name = f"test_{uuid4().hex[:12]}"

        def ask(sql: str) -> Rows:
            return runner.run(_rows(connection, sql))

        ask(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        try:
            for statement in (f"USE {name}", "SET time_zone = '-05:00'", *filter(str.strip, tables.split(";"))):
                ask(statement)
            yield ask
        finally:
            ask(f"DROP DATABASE {name}")
            connection.close()


async def _connected(socket: str) -> asyncmy.Connection:
    return await asyncmy.connect(user="root", unix_socket=socket, autocommit=True)


async def _rows(connection: asyncmy.Connection, sql: str) -> Rows:
    async with connection.cursor() as cursor:
        await cursor.execute(sql)
        return tuple(await cursor.fetchall())
