"""Waiting for what a worker does on its own time."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

Found = TypeVar("Found")
PATIENCE_SECONDS = 60.0


async def eventually(look: Callable[[], Found | None], what: str) -> Found:
    """The first thing that `look` finds; fails when nothing is found for a minute."""
    deadline = monotonic() + PATIENCE_SECONDS
    while monotonic() < deadline:
        found = look()
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"never seen: {what}")
