"""Posted cards in PostgreSQL."""

from psycopg.rows import DictRow
from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import RunId
from agent.values.turn import CardRef, Place

_PUT = """
    WITH posted AS (DELETE FROM countersign.posts WHERE run = %(run)s AND slot = %(slot)s)
    INSERT INTO countersign.cards (run, slot, ref, place) VALUES (%(run)s, %(slot)s, %(ref)s, %(place)s)
    ON CONFLICT (run, slot) DO UPDATE SET ref = excluded.ref, place = excluded.place
"""
_GET = "SELECT ref, place FROM countersign.cards WHERE run = %s AND slot = %s"
_NOTE = """
    INSERT INTO countersign.posts (run, slot) VALUES (%s, %s) ON CONFLICT (run, slot) DO NOTHING RETURNING run
"""
# The new notes are not in what is told of before: all parts of one statement see the tables as they were.
_CLAIM = """
    WITH asked AS (SELECT * FROM unnest(%(runs)s::text[], %(slots)s::text[], %(own)s::bool[]) AS a (run, slot, is_own)),
    posted AS (SELECT run, slot, ref, place FROM countersign.cards JOIN asked USING (run, slot)),
    added AS (
        INSERT INTO countersign.posts (run, slot)
        SELECT run, slot FROM asked WHERE is_own AND (run, slot) NOT IN (SELECT run, slot FROM posted)
        ON CONFLICT (run, slot) DO NOTHING
    )
    SELECT run, slot, ref, place FROM posted
    UNION ALL
    SELECT run, slot, NULL, NULL FROM countersign.posts JOIN asked USING (run, slot)
    WHERE (run, slot) NOT IN (SELECT run, slot FROM posted)
"""
_NOTED = "SELECT run FROM countersign.posts WHERE run = %s AND slot = %s"
_RUN_OF = "SELECT run FROM countersign.cards WHERE ref->>'message_id' = %s AND ref->>'thread' = %s LIMIT 1"
_COPIES = "SELECT ref, place FROM countersign.cards WHERE run = %s AND starts_with(slot, %s) ORDER BY slot"


Slot = tuple[RunId, str]


class PostgresCardStore:
    """Remembers what was posted. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def put(self, run: RunId, slot: str, ref: CardRef, place: Place) -> None:
        """Remember a posted card under the run's slot; the last one stays."""
        async with connected(self._pool) as connection:
            stored = {"run": run, "slot": slot, "ref": Json(encode(ref)), "place": Json(encode(place))}
            await connection.execute(_PUT, stored)

    async def get(self, run: RunId, slot: str) -> tuple[CardRef, Place] | None:
        """The posted card, or None."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_GET, (run, slot))).fetchone()
        return None if row is None else _posted(row)

    async def note(self, run: RunId, slot: str) -> bool:
        """A message is about to be posted under the slot; whether that was noted before, and `put` never followed."""
        async with connected(self._pool) as connection:
            return await (await connection.execute(_NOTE, (run, slot))).fetchone() is None

    async def claim(
        self, own: tuple[Slot, ...], others: tuple[Slot, ...] = ()
    ) -> dict[Slot, tuple[CardRef, Place] | None]:
        """Note posts under those of `own` without a card; of all, the card or the open note that was there before."""
        asked = (*own, *others)
        values = {
            "runs": [run for run, _ in asked],
            "slots": [slot for _, slot in asked],
            "own": [slot in own for slot in asked],
        }
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_CLAIM, values)).fetchall()
        return {(RunId(row["run"]), row["slot"]): _posted(row) for row in rows}

    async def withdraw(self, run: RunId, slot: str) -> None:
        """The platform took nothing of what was noted."""
        async with connected(self._pool) as connection:
            await connection.execute("DELETE FROM countersign.posts WHERE run = %s AND slot = %s", (run, slot))

    async def noted(self, run: RunId, slot: str) -> bool:
        """Whether a post under the slot was noted that `put` never followed."""
        async with connected(self._pool) as connection:
            return await (await connection.execute(_NOTED, (run, slot))).fetchone() is not None

    async def run_of(self, message: CardRef) -> RunId | None:
        """The run whose card the message is; None for a message that is no card of ours."""
        async with connected(self._pool) as connection:
            found = await connection.execute(_RUN_OF, (message.message_id, message.thread))
            row = await found.fetchone()
        return None if row is None else RunId(row["run"])

    async def copies(self, run: RunId, slot: str) -> tuple[tuple[CardRef, Place], ...]:
        """The cards under `<slot>@…`."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_COPIES, (run, f"{slot}@"))).fetchall()
        return tuple((decode(CardRef, row["ref"]), decode(Place, row["place"])) for row in rows)


def _posted(row: DictRow) -> tuple[CardRef, Place] | None:
    return None if row["ref"] is None else (decode(CardRef, row["ref"]), decode(Place, row["place"]))
