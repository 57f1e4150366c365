"""How often something may happen, counted over all processes."""

from datetime import timedelta
from uuid import uuid4

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.ports import Clock

# The instants of the last window are members of a sorted set; a refused attempt is not counted.
_ALLOW = """
local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZSCORE', KEYS[1], ARGV[4]) then
    return 1
end
if redis.call('ZCARD', KEYS[1]) >= limit then
    return 0
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], window)
return 1
"""


class RateLimit:
    """A sliding window per key. Raises CacheUnavailable; the caller decides what goes without a count."""

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._allow = client.register_script(_ALLOW)
        self._clock = clock

    async def allow(self, key: str, limit: int, window: timedelta, once: str = "") -> bool:
        """Count one more use of `key` unless `limit` uses lie within the last `window`; whether it was counted.

        The same `once` (not empty) within the window is one use.
        """
        now = round(self._clock.now().timestamp() * 1000)
        milliseconds = round(window.total_seconds() * 1000)
        with our_errors():
            allowed = await self._allow([f"countersign:rate:{key}"], [now, milliseconds, limit, once or uuid4().hex])
        return bool(allowed)
