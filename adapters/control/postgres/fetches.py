"""For which query each run's rows were fetched, beside the rows."""

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.ports import Clock
from agent.values.fetched import Fetched
from agent.values.identity import RunId

_KEEP = "UPDATE countersign.results SET fetched = %s WHERE id = %s"
_OF = "SELECT fetched FROM countersign.results WHERE run = %s AND fetched IS NOT NULL AND expires_at > %s"


class PostgresFetches:
    """The `Fetches` port. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def keep(self, fetched: Fetched) -> None:
        """Note it beside the rows; it goes with them."""
        async with connected(self._pool) as connection:
            await connection.execute(_KEEP, (Json(encode(fetched)), fetched.result.id))

    async def of(self, run: RunId) -> Fetched | None:
        """What the run fetched last; None where its rows are others by now, or gone."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_OF, (run, self._clock.now()))).fetchone()
        return None if row is None else decode(Fetched, row["fetched"])
