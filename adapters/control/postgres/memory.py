"""Thread memory in PostgreSQL, guarded by its version."""

from dataclasses import replace

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import ThreadKey
from agent.values.memory import ThreadMemory

_LOAD = "SELECT memory FROM countersign.memories WHERE thread = %s"
_INSERT = """
    INSERT INTO countersign.memories (thread, version, memory, finished_at)
    VALUES (%(thread)s, %(next)s, %(memory)s, coalesce(%(finished_at)s, now()))
    ON CONFLICT (thread) DO NOTHING
"""
_REPLACE = """
    UPDATE countersign.memories
    SET version = %(next)s, memory = %(memory)s, finished_at = coalesce(%(finished_at)s, now())
    WHERE thread = %(thread)s AND version = %(version)s
"""


class PostgresMemoryStore:
    """The `MemoryStore` port. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def load(self, thread: ThreadKey) -> ThreadMemory:
        """The thread's memory; an empty one of version 0 when there is none."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_LOAD, (thread,))).fetchone()
        return ThreadMemory(thread=thread) if row is None else decode(ThreadMemory, row["memory"])

    async def save(self, memory: ThreadMemory) -> bool:
        """Store `memory` as version + 1 if the stored version is still `memory.version`; False otherwise."""
        stored = replace(memory, version=memory.version + 1)
        values = {
            "thread": memory.thread,
            "version": memory.version,
            "next": stored.version,
            "memory": Json(encode(stored)),
            "finished_at": memory.last.finished_at if memory.last else None,
        }
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_INSERT if memory.version == 0 else _REPLACE, values)
            return cursor.rowcount == 1
