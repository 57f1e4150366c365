"""Turns that wait in the inbox: who is before them, what their threads were told, and taking them back."""

from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from adapters.control.postgres.connections import Pool, connected
from agent.values.identity import ExternalUser, RunId
from agent.values.turn import CardRef

Begun = Literal["unseen", "seen", "being_told"]

# How long a turn may wait before its thread is told, and for how long whoever tells it keeps others from it.
TOLD_AFTER_SECONDS = 2.0
HOLD_SECONDS = 15.0
# What changes is told again so many seconds later at the earliest, for each turn before it: far back less often.
TOLD_AGAIN_SECONDS = 5.0

# Before a turn are those of its thread and, of every other thread, the one that can be taken now and came earlier.
# One that waits for a place at a warehouse has those before it that wait for the same. A repetition of an event that
# another job has, and a turn that somebody still holds, are not waiting.
_CLAIM = """
    WITH line AS (
        SELECT job.id, job.lock, job.status, job.queueing_lock AS event,
               coalesce(told.waits_for, '') AS waits_for, told.said,
               coalesce(told.said_at, '-infinity') AS said_at, coalesce(told.begun, false) AS begun,
               coalesce(told.held_until, '-infinity') AS held_until,
               coalesce(job.scheduled_at <= now(), true) AS is_due
        FROM procrastinate_jobs AS job
        LEFT JOIN countersign.queued_turns AS told ON told.event = job.queueing_lock
        WHERE job.queue_name = 'turns' AND job.status IN ('todo', 'doing')
          AND job.lock IS NOT NULL AND NOT starts_with(job.lock, 'again:')
    ), threads AS (
        SELECT *, row_number() OVER (PARTITION BY lock ORDER BY id) - 1 AS in_thread FROM line
    ), heads AS (
        SELECT *, status = 'todo' AND in_thread = 0 AND is_due AND waits_for = '' AS is_head FROM threads
    ), counted AS (
        SELECT *,
            CASE WHEN waits_for = '' THEN
                in_thread
                + count(*) FILTER (WHERE is_head) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                - count(*) FILTER (WHERE is_head)
                      OVER (PARTITION BY lock ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            ELSE
                count(*) FILTER (WHERE status = 'todo')
                    OVER (PARTITION BY waits_for ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            END AS before
        FROM heads
    ), chosen AS (
        SELECT counted.*, job.args->'turn' AS turn FROM counted JOIN procrastinate_jobs AS job USING (id)
        WHERE job.status = 'todo' AND NOT begun AND held_until <= now() AND said IS DISTINCT FROM before
          AND said_at < now() - make_interval(secs => %(again)s * greatest(1, before))
          AND job.args->'turn'->>'kind' IN ('message', 'command', 'choice', 'decision')
          AND job.args->'turn'->>'channel' = ANY(%(channels)s)
          AND (SELECT min(at) FROM procrastinate_events WHERE job_id = counted.id)
              < now() - make_interval(secs => %(after)s)
          AND NOT EXISTS (SELECT FROM countersign.events AS taken WHERE taken.event = counted.event
                          AND (taken.job <> counted.id OR taken.held_until > now()))
        ORDER BY said IS NOT NULL, said_at, counted.id LIMIT 1
        FOR UPDATE OF job SKIP LOCKED
    )
    INSERT INTO countersign.queued_turns AS told (event, said, said_at, holder, held_until)
    SELECT event, before, now(), %(holder)s, now() + make_interval(secs => %(hold)s) FROM chosen
    ON CONFLICT (event) DO UPDATE SET said = excluded.said, said_at = excluded.said_at, holder = excluded.holder,
        held_until = excluded.held_until
    WHERE NOT told.begun AND told.held_until <= now()
    RETURNING event, said, (SELECT turn FROM chosen) AS turn
"""
_RELEASE = "UPDATE countersign.queued_turns SET held_until = '-infinity' WHERE event = %s AND holder = %s"
# A message of work that stands already is of the turn too: somebody was handling it before, or said what keeps it.
_BEGIN = """
    WITH begun AS (
        UPDATE countersign.queued_turns SET begun = true WHERE event = %s RETURNING held_until > now() AS being_told
    )
    SELECT being_told FROM begun
    UNION ALL
    SELECT false FROM countersign.cards WHERE run = %s AND slot = %s AND NOT EXISTS (SELECT FROM begun)
"""
# To find no place is no failed attempt: pauses after real ones are not to grow by it.
_PUT_OFF = """
    WITH uncounted AS (
        UPDATE procrastinate_jobs SET attempts = attempts - 1
        WHERE queue_name = 'turns' AND status = 'doing' AND queueing_lock = %(event)s
    )
    INSERT INTO countersign.queued_turns (event, waits_for) VALUES (%(event)s, %(waits_for)s)
    ON CONFLICT (event) DO UPDATE SET begun = false, waits_for = excluded.waits_for
"""
_WAITS_FOR = "SELECT waits_for FROM countersign.queued_turns WHERE event = %s"
_END = "DELETE FROM countersign.queued_turns WHERE event = %s"
_WITHDRAW = """
    DELETE FROM procrastinate_jobs
    WHERE queue_name = 'turns' AND status = 'todo' AND queueing_lock = %(event)s
      AND args->'turn'->'author'->>'channel' = %(channel)s AND args->'turn'->'author'->>'tenant' = %(tenant)s
      AND args->'turn'->'author'->>'user_id' = %(user)s
    RETURNING id
"""
_HURRY = """
    UPDATE procrastinate_jobs SET scheduled_at = now()
    WHERE queue_name = 'turns' AND status = 'todo' AND scheduled_at > now() AND starts_with(lock, %s)
"""
_STANDS_ALONE = """
    SELECT count(*) < 2 AS alone FROM countersign.cards WHERE ref->>'message_id' = %s AND ref->>'thread' = %s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Untold:
    """A turn, as JSON of the inbox, whose thread is to be told how many are `before` it; `holder` may tell it."""

    event: str
    before: int
    turn: dict[str, Any]
    holder: str


class PostgresQueuedTurns:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def claim(self, channels: tuple[str, ...]) -> Untold | None:
        """A turn that waits for longer than a moment, whose thread knows nothing of it or something that has changed.

        For a while nobody else gets it, and a worker that begins it waits until it is released.
        """
        holder = uuid4().hex
        params = {
            "channels": list(channels),
            "after": TOLD_AFTER_SECONDS,
            "again": TOLD_AGAIN_SECONDS,
            "hold": HOLD_SECONDS,
            "holder": holder,
        }
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_CLAIM, params)).fetchone()
        return Untold(event=row["event"], before=row["said"], turn=row["turn"], holder=holder) if row else None

    async def release(self, told: Untold) -> None:
        """Its thread was told."""
        await self._do(_RELEASE, told.event, told.holder)

    async def begin(self, event: str, run: RunId, slot: str) -> Begun:
        """Nothing is told of the turn from now on; whether anything was, or is being told at this moment.

        What tells of the turn is remembered under the run's slot.
        """
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_BEGIN, (event, run, slot))).fetchone()
        if row is None:
            return "unseen"
        return "being_told" if row["being_told"] else "seen"

    async def waits_for(self, event: str) -> str:
        """What the turn waited for when it was put off; empty for nothing."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_WAITS_FOR, (event,))).fetchone()
        return str(row["waits_for"]) if row else ""

    async def put_off(self, event: str, waits_for: str) -> None:
        """The turn waits again, with the others that wait for the same."""
        async with connected(self._pool) as connection:
            await connection.execute(_PUT_OFF, {"event": event, "waits_for": waits_for})

    async def end(self, event: str) -> None:
        """The turn waits no more."""
        await self._do(_END, event)

    async def withdraw(self, event: str, author: ExternalUser) -> bool:
        """Take the author's turn out of the inbox; False when it has begun, or is somebody else's."""
        known = {"event": event, "channel": author.channel, "tenant": author.tenant, "user": author.user_id}
        async with connected(self._pool) as connection:
            return await (await connection.execute(_WITHDRAW, known)).fetchone() is not None

    async def hurry(self, lock: str) -> int:
        """Turns whose lock begins so are due now; how many had to wait."""
        async with connected(self._pool) as connection:
            return (await connection.execute(_HURRY, (lock,))).rowcount

    async def stands_alone(self, message: CardRef) -> bool:
        """Whether the message is known under one slot at most: no outcome has taken its place."""
        async with connected(self._pool) as connection:
            found = await connection.execute(_STANDS_ALONE, (message.message_id, message.thread))
            row = await found.fetchone()
        return row is None or bool(row["alone"])

    async def _do(self, statement: str, *params: str) -> None:
        async with connected(self._pool) as connection:
            await connection.execute(statement.encode(), params)
