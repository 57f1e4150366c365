"""Wishes to stop a run, seen by whichever process runs it."""

from datetime import timedelta

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.values.identity import RunId


class CancelFlags:
    """One flag per run, forgotten after `keep`. Raises CacheUnavailable."""

    def __init__(self, client: Redis, keep: timedelta = timedelta(days=2)) -> None:
        self._client = client
        self._keep = keep

    async def request_cancel(self, run: RunId) -> None:
        """Ask for the run to stop; asking again changes nothing."""
        with our_errors():
            await self._client.set(_key(run), "1", px=self._keep)

    async def is_cancelled(self, run: RunId) -> bool:
        """Whether somebody asked."""
        with our_errors():
            return await self._client.get(_key(run)) is not None


def _key(run: RunId) -> str:
    return f"countersign:cancel:{run}"
