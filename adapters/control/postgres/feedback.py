"""Thumbs and the reasons given with them, in PostgreSQL."""

from datetime import datetime

from adapters.control.postgres.connections import Pool, connected
from agent.values.identity import PrincipalId, RunId

_GIVE = """
    INSERT INTO countersign.feedback (run, person, verb, text, given_at) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (run, person) DO UPDATE SET verb = excluded.verb, text = excluded.text, given_at = excluded.given_at
"""


class PostgresFeedbackStore:
    """One opinion a person has of an answer: the last one. Raises StoreUnavailable when the database is away."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def give(self, run: RunId, person: PrincipalId, verb: str, text: str, now: datetime) -> None:
        """Keep what the person thinks of the run's answer, in place of what they thought before."""
        async with connected(self._pool) as connection:
            await connection.execute(_GIVE, (run, person, verb, text, now))
