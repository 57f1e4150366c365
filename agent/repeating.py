"""Something done again and again beside something else, and ended without being cut short."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def repeated(
    job: Callable[[], Awaitable[object]], every_seconds: float, *, at_once: bool = True
) -> AsyncIterator[None]:
    """While inside, `job` runs at once, unless told otherwise, and then every so many seconds; on the way out the
    running one is finished.

    It is told to end, not cancelled: before Python 3.12 a cancellation can be lost inside `asyncio.wait_for`, which
    drivers use, and the job would then go on for ever. What `job` raises is raised on the way out.
    """
    ended = asyncio.Event()
    task = asyncio.create_task(_repeat(job, every_seconds, ended, at_once=at_once))
    try:
        yield
    finally:
        ended.set()
        await task


async def _repeat(
    job: Callable[[], Awaitable[object]], every_seconds: float, ended: asyncio.Event, *, at_once: bool
) -> None:
    if not at_once:
        await _pause(every_seconds, ended)
    while not ended.is_set():
        await job()
        await _pause(every_seconds, ended)


async def _pause(seconds: float, ended: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
