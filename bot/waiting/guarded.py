"""A warehouse that takes no more than its share of a worker, and is left alone while it does not answer."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import date

import structlog

from adapters.breaker import CircuitBreaker
from agent.errors import QueryCancelled, WarehouseBusy, WarehouseResting, WarehouseUnavailable
from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from agent.values.turn import Turn
from bot.waiting.coming_back import turn_that_comes_back
from bot.waiting.places import Places
from bot.warehouses import ClosableWarehouse
from semantic_catalog.errors import CountersignError
from semantic_catalog.model import Dialect, DomainName, Names

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What stands before one warehouse; `limited` counts what found no place."""

    places: Places
    breaker: CircuitBreaker
    limited: Callable[[str], None]


class GuardedWarehouse:
    """A domain's warehouse behind its guard. Beside what `Warehouse` says, its calls raise `WarehouseBusy` and
    `WarehouseResting`, both of which pass by themselves.

    The breaker counts calls that did not reach the engine. A statement that fails or takes too long shows that it is
    there. Stopping a statement and asking for health are always passed on.
    """

    def __init__(self, inner: ClosableWarehouse, domain: DomainName, names: Names, guard: Guard) -> None:
        self._inner = inner
        self._domain = domain
        self._names = names
        self._guard = guard
        self._has_recovered = False

    @property
    def dialect(self) -> Dialect:
        """The engine's dialect."""
        return self._inner.dialect

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """See `Warehouse`."""
        async with self._guarded():
            return await self._inner.estimate(query)

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        """See `Warehouse`."""
        async with self._guarded(), aclosing(self._inner.stream(query, run)) as batches:  # type: ignore[type-var]
            async for batch in batches:
                self._answered()
                yield batch

    async def cancel(self, run: RunId) -> bool:
        """See `Warehouse`."""
        return await self._inner.cancel(run)

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """See `Warehouse`."""
        async with self._guarded():
            return await self._inner.members(source, column, limit, where)

    async def latest(self, source: str, column: str) -> date | None:
        """See `Warehouse`."""
        async with self._guarded():
            return await self._inner.latest(source, column)

    async def health(self) -> Health:
        """See `Warehouse`."""
        return await self._inner.health()

    async def close(self) -> None:
        """Give up all connections."""
        await self._inner.close()

    def may_ask(self, turn: Turn) -> bool:
        """Whether the turn might get a place now, or learn that the engine rests."""
        return self._guard.breaker.state() != "closed" or self._guard.places.may_ask(turn)

    async def probe(self) -> None:
        """Ask an engine that has rested whether it is there again."""
        if self._guard.breaker.state() != "half_open" or not self._guard.breaker.allows():
            return
        if (await self._inner.health()).ok:
            self._answered()
        else:
            self._guard.breaker.failed()

    def has_recovered(self) -> bool:
        """Whether it answered after it had not, since this was asked last."""
        found, self._has_recovered = self._has_recovered, False
        return found

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        turn, breaker = turn_that_comes_back(), self._guard.breaker
        # A turn that comes back is not what tries a silent engine: its asker would wait for it. The probe does.
        if breaker.state() == "open" or (turn and breaker.state() != "closed"):
            raise self._resting()
        if not await self._guard.places.take(turn):
            self._guard.limited("warehouse_busy")
            raise WarehouseBusy("every place is taken", domain=self._domain)
        try:
            if not breaker.allows():
                raise self._resting()
            async with self._watched():
                yield
        finally:
            self._guard.places.give_back()

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[None]:
        try:
            yield
        except QueryCancelled:
            raise
        except WarehouseUnavailable as error:
            error.domain = self._domain
            self._answered() if error.answered else self._failed()
            raise
        except CountersignError:
            self._answered()
            raise
        else:
            self._answered()

    def _answered(self) -> None:
        was_open = self._guard.breaker.state() != "closed"
        if not self._guard.breaker.succeeded():
            return
        self._has_recovered = True
        if was_open:
            log.info("breaker_closed", dependency=f"warehouse_{self._domain}")

    def _failed(self) -> None:
        was_closed = self._guard.breaker.state() == "closed"
        self._guard.breaker.failed()
        if was_closed and self._guard.breaker.state() == "open":
            log.error("breaker_opened", dependency=f"warehouse_{self._domain}")

    def _resting(self) -> WarehouseResting:
        return WarehouseResting(
            "left alone after repeated failures",
            domain=self._domain,
            names=self._names,
            rests_for=self._guard.breaker.rests_for(),
        )
