"""Stops a statement while it runs, when somebody asked for that in any process."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from agent.errors import CacheUnavailable, QueryCancelled, WarehouseUnavailable
from agent.ports import Stops, Warehouse
from agent.repeating import repeated
from agent.values.identity import RunId

LOOK_EVERY_SECONDS = 0.5
Answer = TypeVar("Answer")


async def unless_stopped(run: RunId, stops: Stops) -> None:
    """Raises `QueryCancelled` when somebody asked the run to stop."""
    if await _is_stopped(run, stops):
        raise QueryCancelled


@asynccontextmanager
async def stoppable(run: RunId, warehouse: Warehouse, stops: Stops) -> AsyncIterator[None]:
    """While inside, a wish to stop ends the run's statement, which then raises `QueryCancelled`."""
    await unless_stopped(run, stops)
    async with repeated(partial(_look, run, warehouse, stops), LOOK_EVERY_SECONDS, at_once=False):
        yield


async def unless_stopped_meanwhile(run: RunId, stops: Stops, asked: Coroutine[Any, Any, Answer]) -> Answer:
    """What was asked for, such as a model's answer; a wish to stop ends the asking, and `QueryCancelled` is raised."""
    task = asyncio.create_task(asked)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_EVERY_SECONDS)
            if not task.done() and await _is_stopped(run, stops):
                raise QueryCancelled
        return task.result()
    finally:
        task.cancel()


async def _look(run: RunId, warehouse: Warehouse, stops: Stops) -> None:
    # Asked for before the statement has begun, it is asked for again.
    if await _is_stopped(run, stops):
        with suppress(WarehouseUnavailable):
            await warehouse.cancel(run)


async def _is_stopped(run: RunId, stops: Stops) -> bool:
    # Without the cache nobody can ask, and a query goes on.
    with suppress(CacheUnavailable):
        return await stops.is_cancelled(run)
    return False
