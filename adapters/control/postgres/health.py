"""Whether the control database answers, and whether it has the schema this version needs."""

import asyncio

import psycopg
from psycopg import AsyncConnection

from adapters.control.postgres.connections import OWN_NAME, connect_arguments
from adapters.control.postgres.migrate import migrations
from agent.ports import Health


async def health(url: str, patience: float = 5, name: str = OWN_NAME) -> Health:
    """Whether it accepts a connection within `patience` seconds and every migration is applied."""
    try:
        async with asyncio.timeout(patience):
            missing = len(migrations()) - await _applied(url, name)
    except TimeoutError:
        return Health(ok=False, detail="no answer")
    except psycopg.OperationalError as error:
        # The client library's own words (host, role, reason); it never writes a password.
        return Health(ok=False, detail=str(error).strip().partition("\n")[0])
    return Health(ok=missing <= 0, detail=f"{missing} migrations are missing" if missing > 0 else "")


async def _applied(url: str, name: str) -> int:
    async with await AsyncConnection.connect(url, **connect_arguments(name)) as connection:
        try:
            cursor = await connection.execute("SELECT count(*) AS number FROM countersign.migrations")
        except psycopg.errors.UndefinedTable:
            return 0
        row = await cursor.fetchone()
    return 0 if row is None else int(row["number"])
