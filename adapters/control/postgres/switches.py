"""What an administrator switched for every process, in PostgreSQL."""

from datetime import datetime

from adapters.control.postgres.connections import Pool, connected

_SET = """
    INSERT INTO countersign.switches (name, value, by_whom, set_at) VALUES (%s, %s, %s, %s)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, by_whom = excluded.by_whom, set_at = excluded.set_at
"""


class PostgresSwitches:
    """Named values. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def all(self) -> dict[str, str]:
        """Every value by its name."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute("SELECT name, value FROM countersign.switches")).fetchall()
        return {row["name"]: row["value"] for row in rows}

    async def set(self, name: str, value: str, by: str, now: datetime) -> None:
        """Switch a name to a value."""
        async with connected(self._pool) as connection:
            await connection.execute(_SET, (name, value, by, now))

    async def clear(self, name: str) -> None:
        """Forget a name."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.switches WHERE name = %s", (name,))
