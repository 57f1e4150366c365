"""Posted cards in PostgreSQL."""

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import RunId
from agent.values.turn import CardRef, Place

_PUT = """
    INSERT INTO countersign.cards (run, slot, ref, place) VALUES (%s, %s, %s, %s)
    ON CONFLICT (run, slot) DO UPDATE SET ref = excluded.ref, place = excluded.place
"""
_GET = "SELECT ref, place FROM countersign.cards WHERE run = %s AND slot = %s"
_COPIES = "SELECT ref, place FROM countersign.cards WHERE run = %s AND starts_with(slot, %s) ORDER BY slot"


class PostgresCardStore:
    """Remembers what was posted. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, run: RunId, slot: str, ref: CardRef, place: Place) -> None:
        """Remember a posted card under the run's slot; the last one stays."""
        async with connected(self._pool) as connection:
            await connection.execute(_PUT, (run, slot, Json(encode(ref)), Json(encode(place))))

    async def get(self, run: RunId, slot: str) -> tuple[CardRef, Place] | None:
        """The posted card, or None."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (run, slot))).fetchone()
        return None if row is None else (decode(CardRef, row["ref"]), decode(Place, row["place"]))

    async def copies(self, run: RunId, slot: str) -> tuple[tuple[CardRef, Place], ...]:
        """The cards under `<slot>@…`."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_COPIES, (run, f"{slot}@"))).fetchall()
        return tuple((decode(CardRef, row["ref"]), decode(Place, row["place"])) for row in rows)
