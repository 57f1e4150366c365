"""Whether the control database answers, and whether it has the schema this version needs."""

import psycopg
from psycopg import AsyncConnection

from adapters.control.postgres.connections import Connection, connect_arguments
from adapters.control.postgres.migrate import migrations
from agent.ports import Health


async def health(url: str) -> Health:
    """Whether it accepts a connection now and every migration is applied."""
    try:
        connection = await AsyncConnection.connect(url, **connect_arguments())
        async with connection:
            missing = len(migrations()) - await _applied(connection)
    except psycopg.OperationalError as error:
        # The client library's own words (host, role, reason); it never writes a password.
        return Health(ok=False, detail=str(error).strip().partition("\n")[0])
    return Health(ok=missing <= 0, detail=f"{missing} migrations are missing" if missing > 0 else "")


async def _applied(connection: Connection) -> int:
    try:
        cursor = await connection.execute("SELECT count(*) AS number FROM countersign.migrations")
    except psycopg.errors.UndefinedTable:
        return 0
    row = await cursor.fetchone()
    return 0 if row is None else int(row["number"])
