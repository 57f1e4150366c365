"""Keeps to what a platform takes per second."""

import asyncio
from collections import OrderedDict


class Pace:
    """Lets things of the same key happen at least `seconds` apart, in the order they came."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next: OrderedDict[str, float] = OrderedDict()

    async def wait(self, key: str) -> None:
        """Return when it is this caller's moment."""
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
