"""What operators see of a product, put together from its parts."""

from collections.abc import Callable, Collection
from functools import partial

from adapters.control.postgres.backlog import PostgresBacklog
from adapters.control.postgres.health import health as control_health
from adapters.control.postgres.processes import Process
from adapters.control.redis.health import health as cache_health
from bot.addresses import Addresses, WarehouseAddress
from bot.connections import ConnectionNeeds
from bot.open_warehouses import OpenWarehouses
from bot.operating.backlog_gauges import BacklogGauges
from bot.operating.measured import MeasuredWarehouse
from bot.operating.metrics import Metrics
from bot.operating.readiness import Check, Readiness
from bot.operating.routes import OperatorRoutes
from bot.stores import Stores
from bot.switchboard import RELOADED
from bot.warehouses import ClosableWarehouse, open_warehouse
from semantic_catalog.model import Domain


def measured_warehouse(
    address: WarehouseAddress, domain: Domain, connections: int, metrics: Metrics, name: str
) -> ClosableWarehouse:
    """The engine of an address, its calls counted, its connections called `name`. Raises `EngineNotInstalled`."""
    return MeasuredWarehouse(open_warehouse(address, domain, connections, name), domain.name, metrics, connections)


def operator_routes(
    control: Check, stores: Stores, warehouses: OpenWarehouses, metrics: Metrics, faults: Callable[[], Collection[str]]
) -> OperatorRoutes:
    """Health of every dependency, and the metrics with what is read when they are asked for.

    `faults` names what of catalog, policy and models could not be read again.
    """
    checks: dict[str, Check] = {"control": control, "cache": partial(cache_health, stores.cache)}
    _follow_faults(metrics, faults)
    return OperatorRoutes(
        readiness=Readiness(checks, metrics, coming_and_going=warehouses.checks),
        gauges=BacklogGauges(metrics, PostgresBacklog(stores.pool), stores.pool, stores.processes),
        metrics=metrics,
        faults=faults,
    )


def control_check(addresses: Addresses, process: Process) -> Check:
    """Whether the control database answers on a connection of its own."""
    return partial(control_health, addresses.control, name=process.name)


def show_needs(metrics: Metrics, needs: ConnectionNeeds) -> None:
    """The most connections of this process, by whom they lead to."""
    for target, most in (("control", needs.control), ("cache", needs.cache)):
        metrics.connections_max.labels(target).set(most)
    for domain, most in needs.warehouses.items():
        metrics.connections_max.labels(f"warehouse_{domain}").set(most)


def _follow_faults(metrics: Metrics, faults: Callable[[], Collection[str]]) -> None:
    def is_faulty(what: str) -> float:
        return float(what in faults())

    for what in RELOADED:
        metrics.config_faulty.labels(what).set_function(partial(is_faulty, what))
