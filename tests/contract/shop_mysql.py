"""The small warehouse of the contract in MariaDB: views that the reader may see over a table that it may not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import asyncmy

from bot import embedded
from bot.embedded_mariadb import mariadb_server
from tests.services import FOLDER

HAS_SERVER = mariadb_server() is not None

_TABLES = (
    """
    CREATE TABLE {shop}.sales AS
    SELECT seq AS id, day, CAST(DATE_FORMAT(day, '%Y-%m') AS CHAR(7)) AS month,
           CASE WHEN seq % 10 = 0 THEN NULL ELSE CONCAT('region ', seq % 3) END AS region,
           CAST(seq / 4.0 AS DECIMAL(14, 2)) AS amount
    FROM (SELECT seq, DATE('2026-01-01') + INTERVAL seq % 100 DAY AS day FROM {shop}.seq_1_to_2000) AS dated
    """,
    "ALTER TABLE {shop}.sales ADD sold_at TIMESTAMP NULL, ADD INDEX (day)",
    "UPDATE {shop}.sales SET sold_at = day + INTERVAL '23:30' HOUR_MINUTE",
    "ANALYZE TABLE {shop}.sales",
    "CREATE VIEW {shop}.v_sales AS SELECT * FROM {shop}.sales",
    "CREATE VIEW {shop}.v_nothing AS SELECT * FROM {shop}.sales WHERE FALSE",
    "CREATE TABLE {shop}.months (month CHAR(7) PRIMARY KEY, is_open BIT(1), note BLOB, closes TIME, ends DATE)",
    "INSERT INTO {shop}.months VALUES ('2026-01', b'1', x'ff00', '-26:05:09', '2026-01-31')",
    "CREATE USER {reader}@localhost IDENTIFIED BY 'hunter2'",
    "GRANT SELECT, SHOW VIEW ON {shop}.v_sales TO {reader}@localhost",
    "GRANT SELECT, SHOW VIEW ON {shop}.v_nothing TO {reader}@localhost",
    "GRANT SELECT ON {shop}.months TO {reader}@localhost",
    "CREATE USER {planner}@localhost",
    "GRANT SELECT, SHOW VIEW ON {shop}.* TO {planner}@localhost",
    "CREATE USER {owner}@localhost",
    "GRANT ALL PRIVILEGES ON {shop}.* TO {owner}@localhost",
)


@dataclass(frozen=True, kw_only=True)
class MariaShop:
    """The shop's accounts. `reader` has a password and may read the views and `months`; `planner` everything."""

    database: str
    socket: str

    def url(self, account: str, host: str = "localhost", port: int | None = None) -> str:
        """The account's URL, over TCP where there is a port."""
        name = f"{account}_{self.database.removeprefix('test_')}"
        sign_in = f"{name}:hunter2" if account == "reader" else name
        if port is not None:
            return f"mysql://{sign_in}@{host}:{port}/{self.database}"
        return f"mysql://{sign_in}@{host}/{self.database}?unix_socket={self.socket}"


@asynccontextmanager
async def maria_shop() -> AsyncIterator[MariaShop]:
    """A shop of its own in the tests' MariaDB, which the machine has."""
    server = await asyncio.to_thread(embedded.start_mariadb, FOLDER)
    assert server is not None
    shop = MariaShop(
        database=f"test_{uuid4().hex[:12]}", socket=parse_qs(urlsplit(server.root).query)["unix_socket"][0]
    )
    names = {account: f"{account}_{shop.database.removeprefix('test_')}" for account in ("reader", "planner", "owner")}
    async with root(shop.socket) as run:
        await run(f"CREATE DATABASE {shop.database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        for statement in _TABLES:
            await run(statement.format(shop=shop.database, **names))
    try:
        yield shop
    finally:
        async with root(shop.socket) as run:
            await run(f"DROP DATABASE {shop.database}")
            await run(f"DROP USER {', '.join(f'{name}@localhost' for name in names.values())}")


class Run:
    """Runs statements as the superuser; what comes back is all rows."""

    def __init__(self, connection: asyncmy.Connection) -> None:
        self._connection = connection

    async def __call__(self, statement: str) -> tuple[tuple[object, ...], ...]:
        async with self._connection.cursor() as cursor:
            await cursor.execute(statement)
            return tuple(await cursor.fetchall())


@asynccontextmanager
async def root(socket: str) -> AsyncIterator[Run]:
    """The superuser of the tests' MariaDB."""
    async with asyncmy.connect(user="root", unix_socket=socket, autocommit=True) as connection:
        yield Run(connection)
