"""Plain questions to a demo domain, whichever engine it lives on."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncmy
import psycopg

Rows = list[tuple[Any, ...]]


def rows_of(url: str, *statements: str) -> Rows:
    """The rows of the last statement; all run in one session. Raises the engine's own error."""
    if url.startswith("mysql:"):
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(asyncio.run, _mysql(url, statements)).result()
    with psycopg.connect(url) as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


async def _mysql(url: str, statements: tuple[str, ...]) -> Rows:
    parts = urlsplit(url)
    async with (
        asyncmy.connect(
            user=unquote(parts.username or ""),
            db=unquote(parts.path.lstrip("/")) or None,
            unix_socket=parse_qs(parts.query)["unix_socket"][0],
            charset="utf8mb4",
        ) as connection,
        connection.cursor() as cursor,
    ):
        for statement in statements:
            await cursor.execute(statement)
        return [tuple(row) for row in await cursor.fetchall()]
