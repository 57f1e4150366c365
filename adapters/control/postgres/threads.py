"""Which threads belong to us: those in which a run was ever opened."""

from adapters.control.postgres.connections import Pool, connected
from agent.values.identity import ThreadKey

_FOLLOWS = "SELECT EXISTS (SELECT FROM countersign.runs WHERE thread = %s) AS followed"


class PostgresThreads:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def follows(self, thread: ThreadKey) -> bool:
        """Whether a message in the thread that names nobody is meant for us."""
        async with connected(self._pool) as connection:
            row = await (await connection.execute(_FOLLOWS, (thread,))).fetchone()
        return bool(row and row["followed"])
