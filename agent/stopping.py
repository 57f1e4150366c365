"""Stops a statement while it runs, when somebody asked for that in any process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from agent.errors import CacheUnavailable, QueryCancelled
from agent.ports import Stops, Warehouse
from agent.values.identity import RunId

LOOK_EVERY_SECONDS = 0.5


async def unless_stopped(run: RunId, stops: Stops) -> None:
    """Raises `QueryCancelled` when somebody asked the run to stop."""
    if await _is_stopped(run, stops):
        raise QueryCancelled


@asynccontextmanager
async def stoppable(run: RunId, warehouse: Warehouse, stops: Stops) -> AsyncIterator[None]:
    """While inside, a wish to stop ends the run's statement, which then raises `QueryCancelled`."""
    await unless_stopped(run, stops)
    watch = asyncio.create_task(_watch(run, warehouse, stops))
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def _watch(run: RunId, warehouse: Warehouse, stops: Stops) -> None:
    stopped = False
    while not stopped:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        # Asked for before the statement has begun, it is asked for again.
        stopped = await _is_stopped(run, stops) and await warehouse.cancel(run)


async def _is_stopped(run: RunId, stops: Stops) -> bool:
    # Without the cache nobody can ask, and a query goes on.
    with suppress(CacheUnavailable):
        return await stops.is_cancelled(run)
    return False
