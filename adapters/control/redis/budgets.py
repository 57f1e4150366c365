"""The sums of a day's budgets, for a fast look. The ledger in PostgreSQL is what counts."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from redis.asyncio import Redis

from adapters.control.redis.connections import our_errors
from agent.values.budget import Account, Used
from agent.values.meters import METERS, Amounts

_KEEP = timedelta(days=2)
_MILLIONTHS: Final = 1_000_000

# Sums of a day only grow: whoever writes last, the largest stands.
_RAISE = """
for index, key in ipairs(KEYS) do
    for place, name in ipairs({'queries', 'rows', 'tokens', 'money'}) do
        local new = tonumber(ARGV[1 + (index - 1) * 4 + place])
        local old = tonumber(redis.call('HGET', key, name) or '-1')
        if new > old then
            redis.call('HSET', key, name, ARGV[1 + (index - 1) * 4 + place])
        end
    end
    redis.call('PEXPIRE', key, ARGV[1])
end
"""


class BudgetSums:
    """Raises CacheUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._raise = client.register_script(_RAISE)

    async def read(self, account: Account, day: date) -> Used | None:
        """What the account used of the day, as far as it is kept here whole."""
        with our_errors():
            async with self._client.pipeline(transaction=False) as pipeline:
                for key in _keys(account, day):
                    pipeline.hmget(key, list(METERS))
                person, tenant = await pipeline.execute()
        if None in person or None in tenant:
            return None
        return Used(person=_amounts(person), tenant=_amounts(tenant))

    async def raise_to(self, account: Account, day: date, used: Used) -> None:
        """Keep what the account has used of the day; a smaller sum than the one kept changes nothing."""
        figures = [*_figures(used.person), *_figures(used.tenant)]
        milliseconds = round(_KEEP.total_seconds() * 1000)
        with our_errors():
            await self._raise(_keys(account, day), [milliseconds, *figures])


def _keys(account: Account, day: date) -> list[str]:
    prefix = f"countersign:budget:{day.isoformat()}"
    return [f"{prefix}:person:{account.person}", f"{prefix}:tenant:{account.tenant}"]


def _figures(amounts: Amounts) -> list[int]:
    return [amounts.queries, amounts.rows, amounts.tokens, int(amounts.money * _MILLIONTHS)]


def _amounts(figures: Sequence[str]) -> Amounts:
    queries, rows, tokens, money = map(int, figures)
    return Amounts(queries=queries, rows=rows, tokens=tokens, money=Decimal(money) / _MILLIONTHS)
