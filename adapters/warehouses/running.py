"""Which statement runs for which run, so that it can be stopped from elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agent.errors import QueryCancelled
from agent.values.identity import RunId

Connection = TypeVar("Connection")


@dataclass(slots=True, kw_only=True)
class _Statement(Generic[Connection]):
    connection: Connection
    cancelled: bool = False
    signalling: asyncio.Lock = field(default_factory=asyncio.Lock)


class RunningStatements(Generic[Connection]):
    """The statements of this process by run.

    `stop` asks the engine to end what a connection runs, within so many seconds; `close` gives a connection up.
    `stopped` is the driver's error for a statement that somebody has stopped.
    """

    def __init__(
        self,
        stop: Callable[[Connection, float], Awaitable[None]],
        close: Callable[[Connection], Awaitable[None]],
        stopped: type[Exception],
    ) -> None:
        self._stop = stop
        self._close = close
        self._stopped = stopped
        self._by_run: dict[RunId, _Statement[Connection]] = {}

    @asynccontextmanager
    async def registered(self, run: RunId, connection: Connection) -> AsyncIterator[None]:
        """Make the run's statement cancellable while inside; raises QueryCancelled when it was stopped before its end.

        Some functions end normally when their statement is stopped, with a value that means nothing.
        """
        statement = _Statement(connection=connection)
        self._by_run[run] = statement
        try:
            yield
            if statement.cancelled:
                raise QueryCancelled
        except self._stopped:
            if statement.cancelled:
                raise QueryCancelled from None
            raise
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
            await self._stop(statement.connection, seconds)
        return True

    async def _forget(self, run: RunId, statement: _Statement[Connection]) -> None:
        # A cancel that is under way must not hit the next statement of a reused connection.
        async with statement.signalling:
            if self._by_run.get(run) is statement:
                del self._by_run[run]
        if statement.cancelled:
            await self._close(statement.connection)
