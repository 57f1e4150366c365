"""A warehouse that knows how many calls are under way, so that it can be closed when none is."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from datetime import date

from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import Dialect


class LentWarehouse:
    """Implements `Warehouse` over another one: the same calls, answers and errors."""

    def __init__(self, inner: ClosableWarehouse) -> None:
        self._inner = inner
        self._calls = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def dialect(self) -> Dialect:
        """The engine's dialect."""
        return self._inner.dialect

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """See `Warehouse`."""
        with self._called():
            return await self._inner.estimate(query)

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        """See `Warehouse`."""
        with self._called():
            async with aclosing(self._inner.stream(query, run)) as batches:  # type: ignore[type-var]
                async for batch in batches:
                    yield batch

    async def cancel(self, run: RunId) -> bool:
        """See `Warehouse`."""
        with self._called():
            return await self._inner.cancel(run)

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """See `Warehouse`."""
        with self._called():
            return await self._inner.members(source, column, limit, where)

    async def latest(self, source: str, column: str) -> date | None:
        """See `Warehouse`."""
        with self._called():
            return await self._inner.latest(source, column)

    async def health(self) -> Health:
        """See `Warehouse`."""
        return await self._inner.health()

    async def close(self) -> None:
        """Give up all connections, also those in use."""
        await self._inner.close()

    async def close_when_idle(self) -> None:
        """Wait until no call is under way, then close. Cancelled while it waits, it closes at once."""
        try:
            await self._idle.wait()
        finally:
            await self._inner.close()

    @contextmanager
    def _called(self) -> Iterator[None]:
        self._calls += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._idle.set()
