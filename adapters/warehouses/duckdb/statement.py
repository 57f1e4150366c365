"""One statement: its blocking calls run in threads, and it can be stopped from the event loop."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Literal, TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from agent.errors import QueryCancelled, QueryTimeout

T = TypeVar("T")
Reason = Literal["time", "cancel", "left"]

_INTERRUPT_SECONDS = 0.02


class Statement:
    """A cursor and at most one call of it at a time."""

    def __init__(self, cursor: DuckDBPyConnection, threads: ThreadPoolExecutor, seconds: float) -> None:
        self.cursor = cursor
        self._threads = threads
        self._seconds = seconds
        self._reason: Reason | None = None
        self._interrupting: asyncio.Task[None] | None = None

    def stop(self, reason: Reason) -> None:
        """End the call under way, and every later one. Only the first reason counts."""
        if self._reason is None:
            self._reason = reason
            self._interrupting = asyncio.create_task(self._interrupt())

    @asynccontextmanager
    async def limited(self) -> AsyncIterator[None]:
        """Stop the statement when its seconds are over before the code inside is; nothing interrupts it afterwards."""
        timer = asyncio.get_running_loop().call_later(self._seconds, self.stop, "time")
        try:
            yield
        finally:
            timer.cancel()
            if self._interrupting is not None:
                self._interrupting.cancel()

    async def call(self, work: Callable[[], T]) -> T:
        """What `work` returns. Raises QueryTimeout or QueryCancelled once the statement was stopped.

        A caller that is cancelled still waits until the thread has let go of the cursor.
        """
        job = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            result = await asyncio.shield(job)
        except asyncio.CancelledError:
            self.stop("left")
            await asyncio.wait({job})
            job.exception()
            raise
        except duckdb.InterruptException:
            self._raise_stopped()
            raise
        self._raise_stopped()
        return result

    def _raise_stopped(self) -> None:
        if self._reason == "time":
            raise QueryTimeout(seconds=math.ceil(self._seconds)) from None
        if self._reason is not None:
            raise QueryCancelled from None

    async def _interrupt(self) -> None:
        # The engine forgets an interrupt that comes before a call has begun.
        while True:
            self.cursor.interrupt()
            await asyncio.sleep(_INTERRUPT_SECONDS)
