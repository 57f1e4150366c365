"""Under which ids people were seen, in PostgreSQL."""

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import ExternalUser, PrincipalId

_PUT = """
    INSERT INTO countersign.identities (principal, channel, who) VALUES (%s, %s, %s)
    ON CONFLICT (principal, channel) DO UPDATE SET who = excluded.who
"""
_OF = "SELECT who FROM countersign.identities WHERE principal = %s ORDER BY channel"


class PostgresSeenIdentities:
    """The last id of each principal on each platform. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, principal: PrincipalId, user: ExternalUser) -> None:
        """The principal spoke as that user; the last one of a channel stays."""
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, (principal, user.channel, Json(encode(user))))

    async def of(self, principal: PrincipalId) -> tuple[ExternalUser, ...]:
        """The principal's users, one a channel at most."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_OF, (principal,))).fetchall()
        return tuple(decode(ExternalUser, row["who"]) for row in rows)
