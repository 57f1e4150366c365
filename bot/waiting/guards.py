"""The guards of every warehouse of one process, and the round that lets go on what waited for one of them."""

import asyncio
from collections.abc import Awaitable, Callable

from adapters.breaker import CircuitBreaker
from agent.values.turn import Turn
from bot.operating.watch import TurnWatch
from bot.settings import StoreSettings
from bot.waiting.guarded import Guard, GuardedWarehouse
from bot.waiting.places import TURNS_AT_ONCE, Places
from bot.waiting.retries import lock_while_away
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import Domain, DomainName

Hurry = Callable[[str], Awaitable[object]]


class WarehouseGuards:
    """One guard a domain; the states of their breakers are among the metrics."""

    def __init__(self, settings: StoreSettings, watch: TurnWatch) -> None:
        self._settings = settings
        self._watch = watch
        self._guarded: dict[DomainName, GuardedWarehouse] = {}

    def before(self, inner: ClosableWarehouse, domain: Domain) -> GuardedWarehouse:
        """The domain's warehouse behind a guard of its own; it takes the place of one that was opened before."""
        guard = self._guard()
        self._watch.follow(f"warehouse_{domain.name}", guard.breaker.state)
        guarded = self._guarded[domain.name] = GuardedWarehouse(inner, domain.name, domain.names, guard)
        return guarded

    def may_ask(self, domain: DomainName, turn: Turn) -> bool:
        """Whether the turn might get a place at the domain's warehouse now."""
        guarded = self._guarded.get(domain)
        return guarded is None or guarded.may_ask(turn)

    async def round(self, hurry: Hurry) -> None:
        """Ask the engines that have rested whether they are there again; `hurry` the turns that waited for one."""
        guarded = dict(self._guarded)
        await asyncio.gather(*(warehouse.probe() for warehouse in guarded.values()))
        for name, warehouse in guarded.items():
            if warehouse.has_recovered():
                await hurry(lock_while_away(name))

    def _guard(self) -> Guard:
        settings = self._settings
        most = min(settings.warehouse_turns, settings.warehouse_pool_size)
        places = Places(most, waiting=max(1, TURNS_AT_ONCE - most - 1))
        breaker = CircuitBreaker(settings.warehouse_failures, settings.warehouse_rest_seconds)
        return Guard(places=places, breaker=breaker, limited=self._watch.limited)
