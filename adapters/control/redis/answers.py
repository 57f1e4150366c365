"""Which stored rows answered which question, for a short while. Rows themselves are never here."""

import json
from datetime import timedelta

from pydantic import ValidationError
from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.codec import decode, encode
from agent.values.known_answer import KnownAnswer


class CachedAnswers:
    """The `KnownAnswers` port; each is forgotten after `keep`, and none is kept where that is zero."""

    def __init__(self, client: Redis, keep: timedelta) -> None:
        self._client = client
        self._keep = keep

    async def find(self, key: str) -> KnownAnswer | None:
        """What is kept under the key; None also for what another version of the product wrote."""
        with our_errors():
            text = await self._client.get(_key(key))
        return _read(text) if text else None

    async def keep(self, key: str, known: KnownAnswer) -> None:
        """Keep it from now on, in the place of what was there."""
        if not self._keep:
            return
        with our_errors():
            await self._client.set(_key(key), json.dumps(encode(known)), px=self._keep)


def _key(key: str) -> str:
    return f"countersign:answer:{key}"


def _read(text: str | bytes) -> KnownAnswer | None:
    try:
        return decode(KnownAnswer, json.loads(text))
    except (ValidationError, json.JSONDecodeError):
        return None
