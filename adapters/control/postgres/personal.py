"""What people confirmed about their own words and habits, in PostgreSQL."""

from dataclasses import replace
from datetime import datetime, timedelta

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import PrincipalId
from agent.values.personal import PersonalMemory

_KEEP = """
    INSERT INTO countersign.personal_memories (id, person, slot, words, domain, used_at, memory)
    VALUES (%(id)s, %(person)s, %(slot)s, %(words)s, %(domain)s, %(used_at)s, %(memory)s)
    ON CONFLICT (person, slot, words, domain) DO UPDATE
    SET id = excluded.id, used_at = excluded.used_at, memory = excluded.memory
"""
# A habit, or the person's own word, stands for one thing only, whatever domain it was taught in.
_REPLACED = """
    DELETE FROM countersign.personal_memories
    WHERE person = %(person)s AND words = %(words)s AND (slot = %(slot)s OR %(words)s <> '')
"""
_OF = """
    SELECT memory, used_at FROM countersign.personal_memories
    WHERE person = %s AND used_at > %s ORDER BY id
"""
_USED = """
    UPDATE countersign.personal_memories SET used_at = greatest(used_at, %s) WHERE person = %s AND id = ANY(%s)
"""


class PostgresPersonalStore:
    """Keeps each memory for `keep` after its last use. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, keep: timedelta) -> None:
        self._pool = pool
        self._keep = keep

    async def keep(self, memory: PersonalMemory) -> None:
        """Store it in place of what the same words, or the same habit, stood for."""
        known = memory.meaning
        values = {
            "id": memory.id,
            "person": memory.person,
            "slot": known.slot,
            "words": known.words,
            "domain": known.domain,
            "used_at": memory.used_at,
            "memory": Json(encode(memory)),
        }
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_REPLACED, values)
            await connection.execute(_KEEP, values)

    async def of(self, person: PrincipalId, now: datetime) -> tuple[PersonalMemory, ...]:
        """The person's memories that have not lapsed at `now`, oldest first; nobody else's."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_OF, (person, now - self._keep))).fetchall()
        found = [replace(decode(PersonalMemory, row["memory"]), used_at=row["used_at"]) for row in rows]
        return tuple(sorted(found, key=lambda memory: memory.learnt_at))

    async def used(self, person: PrincipalId, ids: tuple[str, ...], now: datetime) -> None:
        """Those memories of the person answered a question at `now`: they last from then on."""
        async with connected(self._pool) as connection:
            await connection.execute(_USED, (now, person, list(ids)))

    async def forget(self, person: PrincipalId, ids: tuple[str, ...]) -> int:
        """Delete those memories of the person; how many there were."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(
                "DELETE FROM countersign.personal_memories WHERE person = %s AND id = ANY(%s)", (person, list(ids))
            )
            return cursor.rowcount
