"""Where conversations were last heard from, in PostgreSQL."""

from adapters.control.postgres.connections import Pool, connected
from agent.values.identity import ChannelName, TenantId
from agent.values.turn import SeenConversation

_COLUMNS = "channel, tenant, conversation, address, person"
_PUT = """
    INSERT INTO countersign.seen_conversations (channel, tenant, conversation, address, person)
    VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (channel, tenant, conversation)
    DO UPDATE SET address = excluded.address, person = excluded.person, seen_at = now()
"""
_OF_TENANT = f"SELECT {_COLUMNS} FROM countersign.seen_conversations WHERE channel = %s AND tenant = %s"
_NEWEST = f"{_OF_TENANT} ORDER BY seen_at DESC LIMIT 1"
_GET = f"{_OF_TENANT} AND conversation = %s"
_OF_PERSON = f"{_OF_TENANT} AND person = %s ORDER BY seen_at DESC LIMIT 1"


class PostgresSeenConversations:
    """Implements `SeenConversations`. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, seen: SeenConversation) -> None:
        """Remember the conversation, in place of what was known of it."""
        row = (seen.channel, seen.tenant, seen.conversation, seen.address, seen.person)
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, row)

    async def get(self, channel: ChannelName, tenant: TenantId, conversation: str) -> SeenConversation | None:
        """The conversation, or None."""
        return await self._one(_GET, channel, tenant, conversation)

    async def of_person(self, channel: ChannelName, tenant: TenantId, person: str) -> SeenConversation | None:
        """The person's own conversation with us, or None."""
        return await self._one(_OF_PERSON, channel, tenant, person)

    async def newest(self, channel: ChannelName, tenant: TenantId) -> SeenConversation | None:
        """The conversation of the tenant that was heard from last, or None."""
        return await self._one(_NEWEST, channel, tenant)

    async def _one(self, statement: str, *values: str) -> SeenConversation | None:
        async with connected(self._pool) as connection:
            row = await (await connection.execute(statement.encode(), values)).fetchone()
        return None if row is None else SeenConversation(**row)
