"""Answers that stand with their asker alone, in PostgreSQL."""

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.state import decode_outcome, encode_outcome
from agent.values.identity import RunId
from agent.values.outcome import Outcome
from agent.values.turn import Place

_PUT = """
    INSERT INTO countersign.withheld (run, kept_at, outcome, place) VALUES (%s, now(), %s, %s)
    ON CONFLICT (run) DO UPDATE SET outcome = excluded.outcome, place = excluded.place
"""
_GET = "SELECT outcome, place FROM countersign.withheld WHERE run = %s"


class PostgresWithheldAnswers:
    """Raises StoreUnavailable when the database does not answer. A run that is deleted takes its answer along."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, outcome: Outcome, place: Place) -> None:
        """Keep what is not shown at the place; keeping it again replaces it."""
        values = (outcome.run, Json(encode_outcome(outcome)), Json(encode(place)))
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, values)

    async def get(self, run: RunId) -> tuple[Outcome, Place] | None:
        """What was kept of the run, and where it is not shown."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (run,))).fetchone()
        return None if row is None else (decode_outcome(row["outcome"]), decode(Place, row["place"]))
