"""Installations in Slack workspaces, their tokens encrypted by whoever keeps them here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from adapters.control.postgres.connections import Connection, Pool, connected

_PUT = """
    INSERT INTO countersign.slack_installations (owner, sealed) VALUES (%s, %s)
    ON CONFLICT (owner) DO UPDATE SET sealed = excluded.sealed, installed_at = now()
"""
_GET = "SELECT sealed FROM countersign.slack_installations WHERE owner = %s"
_REPLACE = "UPDATE countersign.slack_installations SET sealed = %s WHERE owner = %s"
_LEARN = """
    INSERT INTO countersign.slack_workspaces (team, owner)
    SELECT %(team)s, owner FROM countersign.slack_installations WHERE owner = %(owner)s
    ON CONFLICT (team) DO UPDATE SET owner = excluded.owner
"""
_CONSUME = "DELETE FROM countersign.slack_oauth_states WHERE digest = %s AND expires_at > %s RETURNING digest"


class LockedInstallation:
    """An installation that no other process changes meanwhile."""

    def __init__(self, connection: Connection, owner: str, sealed: bytes) -> None:
        self._connection = connection
        self._owner = owner
        self.sealed = sealed

    async def replace(self, sealed: bytes) -> None:
        """Keep this in its place."""
        await self._connection.execute(_REPLACE, (sealed, self._owner))
        self.sealed = sealed


class PostgresSlackInstallations:
    """Keeps encrypted installations. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, owner: str, sealed: bytes) -> None:
        """Keep the installation in place of the owner's last one."""
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, (owner, sealed))

    async def get(self, owner: str) -> bytes | None:
        """The owner's installation, or None."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (owner,))).fetchone()
        return None if row is None else bytes(row["sealed"])

    @asynccontextmanager
    async def locked(self, owner: str) -> AsyncIterator[LockedInstallation | None]:
        """The owner's installation, changed by nobody else while inside; what was replaced holds from the end on."""
        async with connected(self._pool) as connection, connection.transaction():
            row = await (await connection.execute(f"{_GET} FOR UPDATE", (owner,))).fetchone()
            yield None if row is None else LockedInstallation(connection, owner, bytes(row["sealed"]))

    async def delete(self, owner: str) -> None:
        """Forget the installation and the workspaces it served."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.slack_installations WHERE owner = %s", (owner,))

    async def owners(self) -> tuple[str, ...]:
        """Whoever installed the app."""
        query = "SELECT owner AS name FROM countersign.slack_installations ORDER BY owner"
        return await self._names(query)

    async def learn(self, team: str, owner: str) -> None:
        """The workspace is served by that organisation's installation; nothing where there is none."""
        async with connected(self._pool) as connection:
            await connection.execute(_LEARN, {"team": team, "owner": owner})

    async def teams_of(self, owner: str) -> tuple[str, ...]:
        """The workspaces known to be served by the organisation's installation."""
        query = "SELECT team AS name FROM countersign.slack_workspaces WHERE owner = %s ORDER BY team"
        return await self._names(query, owner)

    async def owner_of(self, team: str) -> str | None:
        """The organisation whose installation serves the workspace, as far as it was met."""
        query = "SELECT owner AS name FROM countersign.slack_workspaces WHERE team = %s"
        return next(iter(await self._names(query, team)), None)

    async def issue(self, digest: bytes, expires_at: datetime) -> None:
        """Remember the state of an installation that begins; those past their time are forgotten."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.slack_oauth_states WHERE expires_at <= now()")
            await connection.execute(
                "INSERT INTO countersign.slack_oauth_states (digest, expires_at) VALUES (%s, %s)", (digest, expires_at)
            )

    async def consume(self, digest: bytes, now: datetime) -> bool:
        """Whether the state was issued, is not past its time and was not consumed before."""
        async with connected(self._pool) as connection:
            return await (await connection.execute(_CONSUME, (digest, now))).fetchone() is not None

    async def _names(self, query: str, *params: object) -> tuple[str, ...]:
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(query.encode(), params)).fetchall()
        return tuple(row["name"] for row in rows)
