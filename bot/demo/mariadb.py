"""Databases, accounts and rows of the demo on the embedded MariaDB.

Its URLs read `mysql://user@/database?unix_socket=path`. The driver is asynchronous; these functions block.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from bot.demo.errors import DemoLoadFailed
from bot.demo.tables import Row

Work = Callable[[Any], Awaitable[None]]

_BATCH = 2_000
_READER_SECONDS = 60


def prepare(root_url: str, database: str, owner: str, reader: str) -> None:
    """Make the database, an account that owns it and one that can only connect, where they do not exist yet.

    The reader's statements end after a minute. Raises DemoLoadFailed.
    """
    statements = (
        f"CREATE DATABASE IF NOT EXISTS `{database}` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        f"CREATE USER IF NOT EXISTS `{owner}`@localhost",
        f"GRANT ALL PRIVILEGES ON `{database}`.* TO `{owner}`@localhost WITH GRANT OPTION",
        f"CREATE USER IF NOT EXISTS `{reader}`@localhost",
        f"ALTER USER `{reader}`@localhost WITH MAX_STATEMENT_TIME {_READER_SECONDS}",
    )

    async def work(cursor: Any) -> None:
        for statement in statements:
            await cursor.execute(statement)

    _run(root_url, work)


def fill(owner_url: str, definitions: str, tables: Iterable[tuple[str, Iterable[Row]]]) -> None:
    """Run the definitions, statements that end with `;`, then append each table's rows. Raises DemoLoadFailed."""

    async def work(cursor: Any) -> None:
        for statement in definitions.split(";"):
            if statement.strip():
                await cursor.execute(statement)
        for table, rows in tables:
            await _insert(cursor, table, rows)

    _run(owner_url, work)


async def _insert(cursor: Any, table: str, rows: Iterable[Row]) -> None:
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        places = ", ".join(["%s"] * len(batch[0]))
        await cursor.executemany(f"INSERT INTO `{table}` VALUES ({places})", batch)


def _run(url: str, work: Work) -> None:
    """In a thread, because the caller's may run an event loop already."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(asyncio.run, _connected(url, work)).result()


async def _connected(url: str, work: Work) -> None:
    import asyncmy
    from asyncmy.errors import MySQLError

    parts = urlsplit(url)
    try:
        async with (
            asyncmy.connect(
                user=unquote(parts.username or ""),
                db=unquote(parts.path.lstrip("/")) or None,
                unix_socket=parse_qs(parts.query)["unix_socket"][0],
                charset="utf8mb4",
                # The driver turns notes, such as that of a table that is not there, into Python warnings.
                init_command="SET sql_notes = 0",
            ) as connection,
            connection.cursor() as cursor,
        ):
            await work(cursor)
            await connection.commit()
    except (MySQLError, OSError) as error:
        number = error.args[0] if error.args else ""
        raise DemoLoadFailed(f"loading the demo data: {type(error).__name__} {number}") from error
