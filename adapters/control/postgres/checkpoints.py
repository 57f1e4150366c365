"""LangGraph's checkpoints in the control database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from adapters.control.postgres.connections import Pool, our_errors


class PostgresCheckpointer(AsyncPostgresSaver):
    """The saver on a pool that connects lazily. Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self._pool = pool

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        with our_errors():
            await self._pool.open(wait=False)
            async with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor


def create_checkpointer(pool: Pool) -> PostgresCheckpointer:
    """A checkpointer for the graphs; call it inside the event loop. Its tables are made by `migrate`."""
    return PostgresCheckpointer(pool)


async def drop_thread(checkpointer: AsyncPostgresSaver, thread_id: str) -> None:
    """Forget every checkpoint of a finished run; nothing happens when there are none."""
    await checkpointer.adelete_thread(thread_id)
