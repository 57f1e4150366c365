"""Schedules in PostgreSQL."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import ChannelName, PrincipalId, TenantId
from agent.values.schedule import Schedule, ScheduleId

_ADD = """
    INSERT INTO countersign.schedules (id, owner, channel, tenant, status, due_at, created_at, schedule)
    VALUES (%(id)s, %(owner)s, %(channel)s, %(tenant)s, %(status)s, %(due_at)s, %(created_at)s, %(schedule)s)
    ON CONFLICT (id) DO NOTHING RETURNING id
"""
_GET = "SELECT schedule, due_at FROM countersign.schedules WHERE id = %s"
_OF = "SELECT schedule, due_at FROM countersign.schedules WHERE owner = %s ORDER BY created_at, id"
_DUE = """
    SELECT schedule, due_at FROM countersign.schedules
    WHERE status = 'active' AND due_at <= %(now)s AND channel = ANY(%(channels)s)
    ORDER BY due_at, id LIMIT %(limit)s
"""
# The time that was due is part of the condition: of two processes at the same time one moves it on.
_ADVANCE = """
    UPDATE countersign.schedules SET due_at = %(next)s
    WHERE id = %(id)s AND status = 'active' AND due_at = %(due)s RETURNING id
"""
_UPDATE = """
    UPDATE countersign.schedules SET status = %(status)s, due_at = %(due_at)s, schedule = %(schedule)s
    WHERE id = %(id)s AND status = %(before)s RETURNING id
"""
_DELETE = "DELETE FROM countersign.schedules WHERE id = %s RETURNING id"
_OF_TENANT = """
    SELECT schedule, due_at FROM countersign.schedules
    WHERE channel = %s AND tenant = %s AND status <> 'paused' ORDER BY id
"""


class PostgresScheduleStore:
    """The schedules. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def add(self, schedule: Schedule) -> bool:
        """Keep a new schedule; adding it again changes nothing. Whether it was kept."""
        values = {
            **_values(schedule),
            "owner": schedule.owner,
            "channel": schedule.user.channel,
            "tenant": schedule.user.tenant,
            "created_at": schedule.created_at,
        }
        return bool(await self._rows(_ADD, values))

    async def get(self, schedule: ScheduleId) -> Schedule | None:
        """The schedule, or None."""
        return next(iter(await self._schedules(_GET, (schedule,))), None)

    async def of(self, owner: PrincipalId) -> tuple[Schedule, ...]:
        """The person's schedules, oldest first."""
        return await self._schedules(_OF, (owner,))

    async def due(self, now: datetime, channels: Collection[ChannelName], limit: int) -> tuple[Schedule, ...]:
        """Active schedules of these channels whose time has come, longest due first."""
        return await self._schedules(_DUE, {"now": now, "channels": list(channels), "limit": limit})

    async def advance(self, schedule: Schedule, following: datetime) -> bool:
        """Move an active schedule on from its time; False when somebody else did, or it is no longer active."""
        values = {"id": schedule.id, "due": schedule.due_at, "next": following}
        return bool(await self._rows(_ADVANCE, values))

    async def update(self, schedule: Schedule, before: str) -> bool:
        """Replace the schedule if its status is still `before`; whether it was."""
        return bool(await self._rows(_UPDATE, {**_values(schedule), "before": before}))

    async def delete(self, schedule: ScheduleId) -> bool:
        """Delete it; whether it was there."""
        return bool(await self._rows(_DELETE, (schedule,)))

    async def of_tenant(self, channel: ChannelName, tenant: TenantId) -> tuple[Schedule, ...]:
        """Everything that is not paused and was made in that workspace or tenant."""
        return await self._schedules(_OF_TENANT, (channel, tenant))

    async def _rows(self, statement: str, values: Any) -> list[dict[str, Any]]:
        async with connected(self._pool) as connection:
            return await (await connection.execute(statement.encode(), values)).fetchall()

    async def _schedules(self, statement: str, values: Any) -> tuple[Schedule, ...]:
        """The column holds when it is due: moving on writes nothing else."""
        rows = await self._rows(statement, values)
        return tuple(replace(decode(Schedule, row["schedule"]), due_at=row["due_at"]) for row in rows)


def _values(schedule: Schedule) -> dict[str, Any]:
    return {
        "id": schedule.id,
        "status": schedule.status,
        "due_at": schedule.due_at,
        "schedule": Json(encode(schedule)),
    }
