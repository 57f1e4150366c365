"""Which statement runs for which run, so that it can be stopped from elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from asyncmy import Connection

from adapters.warehouses.mysql.connections import Connections, kill
from agent.errors import QueryCancelled
from agent.values.identity import RunId


@dataclass(slots=True, kw_only=True)
class _Statement:
    connection: Connection
    cancelled: bool = False
    signalling: asyncio.Lock = field(default_factory=asyncio.Lock)


class RunningStatements:
    """The statements of this process by run."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._by_run: dict[RunId, _Statement] = {}

    @asynccontextmanager
    async def registered(self, run: RunId, connection: Connection) -> AsyncIterator[None]:
        """Make the run's statement cancellable while inside; raises QueryCancelled when it was stopped before its end.

        Some functions end normally when their statement is killed, with a value that means nothing.
        """
        statement = _Statement(connection=connection)
        self._by_run[run] = statement
        try:
            yield
            if statement.cancelled:
                raise QueryCancelled
        finally:
            await self._forget(run, statement)

    async def cancel(self, run: RunId, seconds: float) -> bool:
        """Ask the engine to stop the run's statement, waiting at most `seconds`; False when none is known."""
        statement = self._by_run.get(run)
        if statement is None:
            return False
        async with statement.signalling:
            if self._by_run.get(run) is not statement:
                return False
            statement.cancelled = True
            await kill(self._connections, statement.connection.thread_id(), seconds, whole=False)
        return True

    async def _forget(self, run: RunId, statement: _Statement) -> None:
        # A cancel that is under way must not hit the next statement of a reused connection.
        async with statement.signalling:
            if self._by_run.get(run) is statement:
                del self._by_run[run]
        if statement.cancelled:
            statement.connection.close()
