"""What operators see of a product, put together from its parts."""

from collections.abc import Mapping
from functools import partial

from redis.asyncio import Redis

from adapters.control.postgres.backlog import PostgresBacklog
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.health import health as control_health
from adapters.control.redis.health import health as cache_health
from bot.addresses import Addresses, WarehouseAddress
from bot.operating.backlog_gauges import BacklogGauges
from bot.operating.measured import MeasuredWarehouse
from bot.operating.metrics import Metrics
from bot.operating.readiness import Check, Readiness
from bot.operating.routes import OperatorRoutes
from bot.warehouses import ClosableWarehouse, open_warehouse
from semantic_catalog.model import Domain, DomainName


def measured_warehouse(
    address: WarehouseAddress, domain: Domain, connections: int, metrics: Metrics
) -> ClosableWarehouse:
    """The engine of an address, its calls counted. Raises `EngineNotInstalled`."""
    return MeasuredWarehouse(open_warehouse(address, domain, connections), domain.name, metrics, connections)


def operator_routes(
    addresses: Addresses, pool: Pool, cache: Redis, warehouses: Mapping[DomainName, ClosableWarehouse], metrics: Metrics
) -> OperatorRoutes:
    """Health of every dependency, and the metrics with what is read when they are asked for."""
    checks: dict[str, Check] = {
        "control": partial(control_health, addresses.control),
        "cache": partial(cache_health, cache),
        **{f"warehouse_{name}": warehouse.health for name, warehouse in warehouses.items()},
    }
    return OperatorRoutes(
        readiness=Readiness(checks, metrics),
        gauges=BacklogGauges(metrics, PostgresBacklog(pool), pool),
        metrics=metrics,
    )
