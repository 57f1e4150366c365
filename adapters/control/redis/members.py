"""Members of dimensions, cached for all processes."""

import json
from datetime import timedelta

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors


class MemberCache:
    """What a warehouse column held not long ago. Raises CacheUnavailable; the caller asks the warehouse then."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def get(self, warehouse: str, source: str, column: str) -> tuple[str, ...] | None:
        """The cached members, in the order they were put; None when there are none."""
        with our_errors():
            text = await self._client.get(_key(warehouse, source, column))
        return None if text is None else tuple(json.loads(text))

    async def put(self, warehouse: str, source: str, column: str, members: tuple[str, ...], keep: timedelta) -> None:
        """Cache members for `keep`; putting again replaces."""
        with our_errors():
            await self._client.set(_key(warehouse, source, column), json.dumps(members), px=keep)


def _key(warehouse: str, source: str, column: str) -> str:
    return f"countersign:members:{warehouse}:{source}:{column}"
