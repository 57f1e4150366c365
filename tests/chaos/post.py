"""How deliveries travel: late, twice, out of order, to any process, until one takes it."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic

import aiohttp

Attempt = Callable[[str], Awaitable[int]]
COPIES = (1, 1, 2, 3)
LATEST_COPY_SECONDS = 3.0
LATEST_FIRST_SECONDS = 1.5
AGAIN_AFTER_SECONDS = 0.7
LAG_LOOKED_AT_SECONDS = 0.05


@dataclass(kw_only=True)
class Post:
    """`slowest` is the longest time that a process took to answer one, in seconds; `happened` counts the rest.

    `own_lag` is how late this process itself was at the most: what was measured may be so much too long.
    A process that was killed gives no answer; the same delivery goes out again then.
    """

    urls: tuple[str, ...]
    chance: random.Random
    slowest: float = 0.0
    own_lag: float = 0.0
    seconds: list[float] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)
    _sent: dict[str, int] = field(default_factory=Counter)
    _arrived: dict[str, int] = field(default_factory=Counter)

    async def deliver(self, thread: str, attempt: Attempt) -> None:
        """As often as it happens to be delivered: each copy by itself, late or not, until a process takes it."""
        copies = self.chance.choice(COPIES)
        first = self.chance.choice((0.0, 0.0, 0.0, self.chance.uniform(0, LATEST_FIRST_SECONDS)))
        self._sent[thread] += 1
        self.happened["delivery repeated"] += copies - 1
        delays = [first, *(self.chance.uniform(0, LATEST_COPY_SECONDS) for _ in range(copies - 1))]
        number = self._sent[thread]
        await asyncio.gather(*(self._insist(thread, number, attempt, delay) for delay in delays))

    async def watch_own_lag(self) -> None:
        """For ever."""
        while True:
            began = monotonic()
            await asyncio.sleep(LAG_LOOKED_AT_SECONDS)
            self.own_lag = max(self.own_lag, monotonic() - began - LAG_LOOKED_AT_SECONDS)

    async def _insist(self, thread: str, number: int, attempt: Attempt, delay: float) -> None:
        while True:
            await asyncio.sleep(delay)
            if await self._is_taken(attempt):
                break
            delay = AGAIN_AFTER_SECONDS
        if number < self._arrived[thread]:
            self.happened["delivery overtaken"] += 1
        self._arrived[thread] = max(number, self._arrived[thread])

    async def _is_taken(self, attempt: Attempt) -> bool:
        url, began = self.chance.choice(self.urls), monotonic()
        self.happened["delivery"] += 1
        try:
            status = await attempt(url)
        except aiohttp.ClientError:
            self.happened["delivery cut off"] += 1
            return False
        self.seconds.append(monotonic() - began)
        self.slowest = max(self.slowest, self.seconds[-1])
        if status >= 500:
            self.happened["delivery not stored"] += 1
        return status < 500
