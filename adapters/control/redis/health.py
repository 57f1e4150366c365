"""Whether Redis answers."""

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.errors import CacheUnavailable
from agent.ports import Health


async def health(client: Redis) -> Health:
    """Whether it answers a ping now."""
    try:
        with our_errors():
            await client.get("countersign:health")
    except CacheUnavailable as error:
        return Health(ok=False, detail=error.detail)
    return Health(ok=True)
