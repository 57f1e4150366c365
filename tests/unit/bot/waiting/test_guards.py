import pytest

from agent.errors import WarehouseUnavailable
from bot.operating.metrics import Metrics
from bot.operating.watch import TurnWatch
from bot.settings import StoreSettings
from bot.waiting.guarded import GuardedWarehouse
from bot.waiting.guards import WarehouseGuards
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName
from tests.contract.shop import checked
from tests.fakes.clock import FrozenClock
from tests.unit.bot.waiting.test_guarded import Engine
from tests.unit.bot.waiting.test_places import NOON


async def test_a_breaker_shows_among_the_metrics_and_its_domains_turns_go_on_when_it_closes() -> None:
    metrics = Metrics()
    watch = TurnWatch(metrics=metrics, clock=FrozenClock(NOON))
    settings = StoreSettings(_env_file=None, warehouse_failures=1, warehouse_rest_seconds=1e-9)
    guards, engine = WarehouseGuards(settings, watch), Engine(away=True)
    domain = load_catalog().domain(DomainName("payments"))
    guarded = guards.before(engine, domain)
    await _fail(guarded)
    assert _breaker(metrics) == 1
    hurried: list[str] = []

    async def hurry(lock: str) -> None:
        hurried.append(lock)

    await guards.round(hurry)
    assert hurried == []
    engine.away = False
    await guards.round(hurry)
    await guards.round(hurry)
    assert hurried == ["again:payments:"]
    assert _breaker(metrics) == 0


async def _fail(guarded: GuardedWarehouse) -> None:
    with pytest.raises(WarehouseUnavailable):
        await guarded.estimate(checked("SELECT 1"))


def _breaker(metrics: Metrics) -> float | None:
    return metrics.registry.get_sample_value("countersign_breaker_state", {"dependency": "warehouse_payments"})
