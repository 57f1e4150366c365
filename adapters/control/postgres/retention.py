"""Deletes what is past its time in the control database."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.control.postgres.connections import Connection, Pool, connected

_OPEN = "('running', 'awaiting_approval', 'needs_clarification')"
_STATEMENTS = {
    "results": "DELETE FROM countersign.results WHERE expires_at <= %(now)s",
    "artifacts": "DELETE FROM countersign.artifacts WHERE expires_at <= %(now)s",
    "files": "DELETE FROM countersign.files WHERE expires_at <= %(now)s",
    "events": "DELETE FROM countersign.events WHERE taken_at < %(events)s",
    "processes": "DELETE FROM countersign.processes WHERE seen_at < %(events)s",
    "queued_turns": "DELETE FROM countersign.queued_turns WHERE noted_at < %(events)s",
    "runs": f"DELETE FROM countersign.runs WHERE created_at < %(runs)s AND status NOT IN {_OPEN}",
    "cards": "DELETE FROM countersign.cards WHERE posted_at < %(cards)s",
    "posts": "DELETE FROM countersign.posts WHERE noted_at < %(cards)s",
    "letters": "DELETE FROM countersign.letters WHERE is_dead AND queued_at < %(cards)s",
    "seen_conversations": "DELETE FROM countersign.seen_conversations WHERE seen_at < %(cards)s",
    "budget_entries": "DELETE FROM countersign.budget_entries WHERE booked_at < %(budgets)s",
    "budget_days": "DELETE FROM countersign.budget_days WHERE day < %(budgets)s::date - 1",
    "feedback": "DELETE FROM countersign.feedback WHERE given_at < %(feedback)s",
    "personal_memories": "DELETE FROM countersign.personal_memories WHERE used_at < %(personal)s",
    "thread_memories": """
        DELETE FROM countersign.memories WHERE finished_at < %(threads)s
    """,
    "standing_approvals": """
        DELETE FROM countersign.standing_approvals WHERE coalesce(revoked_at, expires_at) < %(runs)s
    """,
}
# A run that ended a short while ago may still be delivered again after a crash, from its checkpoints.
_LEFT_BEHIND = f"""
    SELECT thread_id FROM checkpoints AS c GROUP BY thread_id
    HAVING NOT EXISTS (
        SELECT FROM countersign.runs AS r
        WHERE r.run = regexp_replace(c.thread_id, '^.*/', '')
          AND (r.status IN {_OPEN} OR r.created_at >= %(checkpoints)s)
    )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """For how long each thing is kept: ended runs with their decisions, checkpoints that no open run needs, posted
    cards, opinions, personal memories after their last use, thread memories after their last run, platform events,
    what was used of budgets.
    """

    runs: timedelta
    checkpoints: timedelta
    cards: timedelta
    feedback: timedelta
    personal: timedelta
    threads: timedelta
    events: timedelta
    budgets: timedelta = timedelta(days=90)


class PostgresRetention:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool, kept: Kept) -> None:
        self._pool = pool
        self._kept = kept

    async def clean(self, now: datetime) -> dict[str, int]:
        """Delete everything past its time at `now`; how many rows of each kind went. Repeating it is harmless."""
        kept = self._kept
        before = {name: now - getattr(kept, name) for name in Kept.__dataclass_fields__}
        async with connected(self._pool) as connection:
            gone = {
                name: (await connection.execute(text.encode(), {"now": now, **before})).rowcount
                for name, text in _STATEMENTS.items()
            }
            return {**gone, "checkpoints": await _drop_checkpoints(connection, before)}


async def _drop_checkpoints(connection: Connection, before: dict[str, datetime]) -> int:
    rows = await (await connection.execute(_LEFT_BEHIND.encode(), before)).fetchall()
    keys = [row["thread_id"] for row in rows]
    for table in ("checkpoint_writes", "checkpoint_blobs", "checkpoints"):
        await connection.execute(f"DELETE FROM {table} WHERE thread_id = ANY(%s)".encode(), (keys,))
    return len(keys)
