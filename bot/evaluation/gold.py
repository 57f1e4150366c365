"""Gold SQL, run as the owner of the data."""

from collections.abc import Mapping
from typing import Any

import psycopg
from asyncmy.errors import MySQLError

from adapters.warehouses.mysql.connections import Connections, MySqlOptions
from bot.evaluation.rows import Table, table_of
from semantic_catalog.errors import OperatorError


class GoldFailed(OperatorError):
    """A set's own SQL does not run: the set is at fault, not the answer."""

    code = "gold_failed"


class GoldData:
    """Answers gold SQL by domain; every statement is run once."""

    def __init__(self, owner_urls: Mapping[str, str]) -> None:
        self._urls = dict(owner_urls)
        self._kept: dict[tuple[str, str], Table] = {}

    async def table(self, domain: str, sql: str) -> Table:
        """The rows of the SQL. Raises `GoldFailed`."""
        key = (domain, sql)
        if key not in self._kept:
            self._kept[key] = await self._run(domain, sql)
        return self._kept[key]

    async def _run(self, domain: str, sql: str) -> Table:
        url = self._urls.get(domain)
        if url is None:
            raise GoldFailed(f"no owner URL for {domain}")
        try:
            return await (_mysql(url, sql) if url.startswith(("mysql", "mariadb")) else _postgres(url, sql))
        except (psycopg.Error, MySQLError) as error:
            raise GoldFailed(f"{domain}: {type(error).__name__}") from error


async def _postgres(url: str, sql: str) -> Table:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        cursor = await connection.execute(sql.encode())
        names = [column.name for column in cursor.description or ()]
        return table_of(names, await cursor.fetchall())


async def _mysql(url: str, sql: str) -> Table:
    connections = Connections(url, MySqlOptions())
    async with connections.apart() as connection:
        cursor: Any = connection.cursor()
        await cursor.execute(sql)
        rows = await cursor.fetchall()
        return table_of([column[0] for column in cursor.description], rows)
