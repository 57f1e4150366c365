"""What the cache says, where somebody waits for it."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from agent.errors import CacheUnavailable

WITHIN_SECONDS = 0.4
"""What the cache does not say by then is done without."""

Said = TypeVar("Said")


async def soon(asked: Awaitable[Said]) -> Said:
    """What it says. Raises `CacheUnavailable`, also when it says nothing in time."""
    try:
        async with asyncio.timeout(WITHIN_SECONDS):
            return await asked
    except TimeoutError:
        raise CacheUnavailable("no answer in time") from None
