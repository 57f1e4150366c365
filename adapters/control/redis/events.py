"""Which platform events were taken in already."""

from datetime import timedelta

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors


class SeenEvents:
    """A quick answer to repeated deliveries. The inbox's unique event id in PostgreSQL is the wall behind it.

    An event is remembered only after the inbox has it: a crash in between then costs a second look, never the event.
    Raises CacheUnavailable; the caller goes on as if the event were new.
    """

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def first_time(self, event_id: str) -> bool:
        """Whether the event is not known to be in the inbox."""
        with our_errors():
            return await self._client.get(_key(event_id)) is None

    async def remember(self, event_id: str, keep: timedelta) -> None:
        """The inbox has the event: answer its repetitions from here for as long as `keep`."""
        with our_errors():
            await self._client.set(_key(event_id), "1", px=keep)


def _key(event_id: str) -> str:
    return f"countersign:event:{event_id}"
