"""Which process works on a run."""

from datetime import timedelta
from uuid import uuid4

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.values.identity import RunId

_RENEW = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""
_RELEASE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""


class RunLeases:
    """At most one holder per run at a time, as long as it renews. Raises CacheUnavailable.

    A lease keeps two workers from doing the same work twice; it does not make the work safe: stores compare versions.
    """

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._renew = client.register_script(_RENEW)
        self._release = client.register_script(_RELEASE)

    async def acquire(self, run: RunId, hold: timedelta) -> str | None:
        """The lease's token, valid for `hold`; None while somebody else holds it."""
        token = uuid4().hex
        with our_errors():
            # The holder's token comes back, so a command that had to be sent twice still recognises its own lease.
            holder = await self._client.set(_key(run), token, nx=True, get=True, px=hold)
        return token if holder in (None, token) else None

    async def renew(self, run: RunId, token: str, hold: timedelta) -> bool:
        """Hold on for `hold` from now; False when the lease was lost."""
        with our_errors():
            return bool(await self._renew([_key(run)], [token, round(hold.total_seconds() * 1000)]))

    async def release(self, run: RunId, token: str) -> bool:
        """Give the lease back; False when it was lost before."""
        with our_errors():
            return bool(await self._release([_key(run)], [token]))


def _key(run: RunId) -> str:
    return f"countersign:lease:{run}"
