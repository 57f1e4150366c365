"""Keeps to what a platform takes per second."""

import asyncio
from collections import OrderedDict
from datetime import timedelta
from typing import Protocol

from agent.errors import CacheUnavailable

_LOOK_AGAIN_SECONDS = 0.05


class Gate(Protocol):
    """Counts what happens over all processes."""

    async def allow(self, key: str, limit: int, window: timedelta, once: str = "") -> bool:
        """Count one more use of `key` unless `limit` lie within the last `window`. Raises `CacheUnavailable`."""
        ...


class Pace:
    """Lets things of the same key happen at least `seconds` apart, in the order they came.

    With a `gate` also beside other processes; while the gate does not answer, each process keeps its own pace.
    """

    def __init__(self, seconds: float, gate: Gate | None = None) -> None:
        self._seconds = seconds
        self._gate = gate
        self._next: OrderedDict[str, float] = OrderedDict()

    async def wait(self, key: str) -> None:
        """Return when it is this caller's moment."""
        await self._wait_here(key)
        if self._gate is not None and self._seconds > 0:
            await self._wait_for_others(self._gate, key)

    async def _wait_for_others(self, gate: Gate, key: str) -> None:
        window = timedelta(seconds=self._seconds)
        try:
            while not await gate.allow(f"pace:{key}", 1, window):  # noqa: ASYNC110  # told by no event: counted in the cache
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        except CacheUnavailable:
            return

    async def _wait_here(self, key: str) -> None:
        now = asyncio.get_running_loop().time()
        moment = max(now, self._next.get(key, now))
        self._next[key] = moment + self._seconds
        self._next.move_to_end(key)
        self._forget_before(now)
        if moment > now:
            await asyncio.sleep(moment - now)

    def _forget_before(self, now: float) -> None:
        while self._next and next(iter(self._next.values())) <= now:
            self._next.popitem(last=False)
