"""How many messages are taken: of a person, in a thread, of a tenant; also while the cache is away."""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

import structlog
from redis.asyncio import Redis

from adapters.control.redis.rate_limit import RateLimit
from agent.errors import CacheUnavailable
from agent.ports import Clock
from agent.values.rate import Excess, Rate
from agent.values.turn import Turn
from bot.ports import RateGate
from bot.settings import Settings
from bot.soon import soon

MINUTE = timedelta(minutes=1)

SHARE = 2
"""Of a rate, a process that counts alone allows one part in so many: there may be others."""

_SWEEP_AFTER = 1_000

log = structlog.get_logger()


class ProcessRates:
    """Sliding windows in memory. What was counted elsewhere meanwhile is counted here too, so that a cache that goes
    away opens no new window.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._uses: defaultdict[str, OrderedDict[str, datetime]] = defaultdict(OrderedDict)
        self._noted = 0

    def take(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> Excess | None:
        """Count a use of every rate, unless one has no room in its share: then that one. The same `once` is one use."""
        now = self._clock.now()
        for rate in rates:
            uses, share = self._recent(rate.key, now - window), max(1, rate.limit // SHARE)
            if len(uses) >= share and once not in uses:
                leaves = next(islice(uses.values(), len(uses) - share, None)) + window
                return Excess(rate=rate, seconds=(leaves - now).total_seconds())
        self.note(rates, window, once)
        return None

    def note(self, rates: tuple[Rate, ...], window: timedelta, once: str) -> None:
        """A use that was allowed elsewhere."""
        now = self._clock.now()
        for rate in rates:
            uses = self._recent(rate.key, now - window)
            uses.setdefault(once, now)
        self._sweep(now - window)

    def _recent(self, key: str, since: datetime) -> OrderedDict[str, datetime]:
        """When each was used within the window, oldest first."""
        uses = self._uses[key]
        while uses and next(iter(uses.values())) <= since:
            uses.popitem(last=False)
        return uses

    def _sweep(self, since: datetime) -> None:
        """Now and then, forget whoever has been silent."""
        self._noted += 1
        if self._noted % _SWEEP_AFTER == 0:
            for key in [key for key in self._uses if not self._recent(key, since)]:
                del self._uses[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsPerMinute:
    """How many messages are taken in a minute: of a person, in a thread, of all people of a tenant."""

    person: int
    thread: int
    tenant: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRates:
    """Counts turns over all processes; by this one alone, and more strictly, while the cache is away."""

    gate: RateGate
    own: ProcessRates
    limits: TurnsPerMinute

    async def excess(self, turn: Turn) -> Excess | None:
        """The rate that has no room for the turn; else it is counted, once."""
        rates = self._rates_of(turn)
        try:
            excess = await soon(self.gate.take(rates, MINUTE, turn.event_id))
        except CacheUnavailable:
            log.warning("rate_counted_alone")
            return self.own.take(rates, MINUTE, turn.event_id)
        if excess is None:
            self.own.note(rates, MINUTE, turn.event_id)
        return excess

    def _rates_of(self, turn: Turn) -> tuple[Rate, ...]:
        author, limits = turn.author, self.limits
        tenant = f"{author.channel}:{author.tenant}"
        return (
            Rate(name="person", key=f"{tenant}:{author.user_id}", limit=limits.person),
            Rate(name="thread", key=f"thread:{turn.thread}", limit=limits.thread),
            Rate(name="tenant", key=f"tenant:{tenant}", limit=limits.tenant),
        )


def turn_rates(settings: Settings, cache: Redis, clock: Clock) -> TurnRates:
    """The limits of the settings, counted in the cache."""
    limits = TurnsPerMinute(
        person=settings.analyst.turns_per_minute,
        thread=settings.budgets.thread_turns_per_minute,
        tenant=settings.budgets.tenant_turns_per_minute,
    )
    return TurnRates(gate=RateLimit(cache, clock), own=ProcessRates(clock), limits=limits)
