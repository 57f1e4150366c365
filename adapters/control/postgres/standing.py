"""Approvals of kinds of questions in PostgreSQL."""

from datetime import datetime

from psycopg.types.json import Json

from adapters.control.postgres.connections import Pool, connected
from agent.codec import decode, encode
from agent.values.identity import PrincipalId
from agent.values.standing import StandingApproval

# One statement is one compare-and-set: an approval that is in force keeps its place, an ended one gives it up.
_ADD = """
    INSERT INTO countersign.standing_approvals AS held (id, kind, asker, granted_at, expires_at, approval)
    VALUES (%(id)s, %(kind)s, %(asker)s, %(granted_at)s, %(expires_at)s, %(approval)s)
    ON CONFLICT (kind, asker) DO UPDATE
    SET id = excluded.id, granted_at = excluded.granted_at, expires_at = excluded.expires_at, revoked_at = NULL,
        approval = excluded.approval
    WHERE held.revoked_at IS NOT NULL OR held.expires_at <= excluded.granted_at
    RETURNING id
"""
_FIND = """
    SELECT approval FROM countersign.standing_approvals
    WHERE kind = %s AND asker = %s AND revoked_at IS NULL AND expires_at > %s
"""
_REVOKE = """
    UPDATE countersign.standing_approvals SET revoked_at = %(now)s
    WHERE id = %(id)s AND revoked_at IS NULL AND expires_at > %(now)s
    RETURNING approval
"""
_IN_FORCE = """
    SELECT approval FROM countersign.standing_approvals
    WHERE revoked_at IS NULL AND expires_at > %s ORDER BY granted_at, id
"""


class PostgresStandingStore:
    """The standing approvals. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def add(self, approval: StandingApproval) -> bool:
        """Keep the approval unless one for the same kind and asker is in force; whether it was kept."""
        values = {
            "id": approval.id,
            "kind": approval.kind,
            "asker": approval.asker,
            "granted_at": approval.granted_at,
            "expires_at": approval.expires_at,
            "approval": Json(encode(approval)),
        }
        async with connected(self._pool) as connection:
            return await (await connection.execute(_ADD, values)).fetchone() is not None

    async def find(self, kind: str, asker: PrincipalId, now: datetime) -> StandingApproval | None:
        """The asker's approval of that kind that has neither ended nor been revoked at `now`."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_FIND, (kind, asker, now))).fetchone()
        return None if row is None else decode(StandingApproval, row["approval"])

    async def revoke(self, approval_id: str, now: datetime) -> StandingApproval | None:
        """End the approval at `now`; None when none of that id is in force."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_REVOKE, {"id": approval_id, "now": now})).fetchone()
        return None if row is None else decode(StandingApproval, row["approval"])

    async def in_force(self, now: datetime) -> tuple[StandingApproval, ...]:
        """Every approval that holds at `now`, oldest first."""
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_IN_FORCE, (now,))).fetchall()
        return tuple(decode(StandingApproval, row["approval"]) for row in rows)
