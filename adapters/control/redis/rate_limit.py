"""How often something may happen, counted over all processes."""

from datetime import timedelta
from uuid import uuid4

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.ports import Clock
from agent.values.rate import Excess, Rate

# The instants of the last window are members of a sorted set. A use is counted under all keys or under none: {0, 0}, or
# the first key without room and the milliseconds until it has some.
_TAKE = """
local now, window, member = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
for index, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local uses, limit = redis.call('ZCARD', key), tonumber(ARGV[3 + index])
    if uses >= limit and not redis.call('ZSCORE', key, member) then
        local leaving = redis.call('ZRANGE', key, uses - limit, uses - limit, 'WITHSCORES')
        return {index, math.floor(tonumber(leaving[2]) + window - now)}
    end
end
for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, 'NX', now, member)
    redis.call('PEXPIRE', key, window)
end
return {0, 0}
"""


class RateLimit:
    """A sliding window per key. Raises CacheUnavailable; the caller decides what goes without a count."""

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._take = client.register_script(_TAKE)
        self._clock = clock

    async def allow(self, key: str, limit: int, window: timedelta, once: str = "") -> bool:
        """Count one more use of `key` unless `limit` uses lie within the last `window`; whether it was counted.

        The same `once` (not empty) within the window is one use.
        """
        rate = Rate(name=key, key=key, limit=limit)
        return await self.take((rate,), window, once or uuid4().hex) is None

    async def take(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> Excess | None:
        """Count a use of every rate, unless one of them has no room: then that one. The same `once` is one use."""
        now = round(self._clock.now().timestamp() * 1000)
        milliseconds = round(window.total_seconds() * 1000)
        keys, limits = [f"countersign:rate:{rate.key}" for rate in rates], [rate.limit for rate in rates]
        with our_errors():
            place, wait = await self._take(keys, [now, milliseconds, once, *limits])
        return Excess(rate=rates[place - 1], seconds=wait / 1000) if place else None
