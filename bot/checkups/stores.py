"""Whether the control database, the cache and each warehouse can be used as they are configured."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters.control.postgres.backlog import PostgresBacklog
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.health import health as control_health
from adapters.control.redis.connections import create_client
from adapters.control.redis.health import health as cache_health
from agent.errors import StoreFailed, StoreUnavailable
from agent.ports import Warehouse
from bot.addresses import Addresses, WarehouseAddress
from bot.checkups.finding import Finding, unwell, well
from bot.checkups.processes import ProcessCheckup
from bot.settings import Settings
from bot.warehouses import ClosableWarehouse, open_warehouse
from semantic_catalog.errors import CountersignError, OperatorError
from semantic_catalog.model import Catalog, Domain, DomainName, Entity

_OR_DEMO = "or start the demo's with 'countersign demo up'"
_FIRST_START = "Start any process once: it brings the database to its version. Nothing else is wrong with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCheckup:
    """Asks the stores and the warehouses themselves. `catalog` is None where it cannot be read."""

    settings: Settings
    addresses: Addresses
    catalog: Catalog | None

    async def findings(self) -> AsyncIterator[Finding]:
        """What is well and what is not, in the order of the settings."""
        control = await self._control()
        yield control
        if control.health.ok:
            yield await self._workers()
            async for finding in ProcessCheckup(settings=self.settings, addresses=self.addresses).findings():
                yield finding
        yield await self._cache()
        for name, address in self.addresses.warehouses.items():
            yield await self._warehouse(name, address)

    async def _control(self) -> Finding:
        health = await control_health(self.addresses.control)
        unmigrated = health.detail.endswith("migrations are missing")
        fix = _FIRST_START if unmigrated else f"Check CONTROL_DATABASE_URL and the server, {_OR_DEMO}."
        return Finding(name="control store", health=health, fix=fix)

    async def _workers(self) -> Finding:
        """Whether somebody answers what waits."""
        pool = create_pool(self.addresses.control, max_connections=1)
        try:
            backlog = await PostgresBacklog(pool).read()
        except (StoreUnavailable, StoreFailed):
            return well("workers", "none has started yet")
        finally:
            await pool.close()
        if backlog.waiting and not backlog.workers:
            fix = "Start 'countersign worker'; where one runs, its last log lines say why it does not work."
            return unwell("workers", f"{backlog.waiting} turns wait and no worker has a heartbeat", fix)
        return well("workers", f"{backlog.workers} with a heartbeat, {backlog.waiting} turns wait")

    async def _cache(self) -> Finding:
        client = create_client(self.addresses.cache)
        try:
            return Finding(name="cache", health=await cache_health(client), fix=f"Check REDIS_URL, {_OR_DEMO}.")
        finally:
            await client.aclose()

    async def _warehouse(self, name: DomainName, address: WarehouseAddress) -> Finding:
        title = f"warehouse {name}"
        if self.catalog is None:
            return unwell(title, "not asked: the catalog cannot be read", "Mend the catalog first.")
        domain = next((domain for domain in self.catalog.domains if domain.name == name), None)
        if domain is None:
            known = ", ".join(domain.name for domain in self.catalog.domains)
            return unwell(title, f"the catalog has no domain of that name; it has {known}", "Mend WAREHOUSE_URLS.")
        try:
            async with _opened(address, domain) as warehouse:
                return await _asked(title, domain, warehouse)
        except OperatorError as error:
            return unwell(title, error.detail, "Install the extra that it names.")


@asynccontextmanager
async def _opened(address: WarehouseAddress, domain: Domain) -> AsyncIterator[ClosableWarehouse]:
    warehouse = open_warehouse(address, domain, 1)
    try:
        yield warehouse
    finally:
        await warehouse.close()


async def _asked(title: str, domain: Domain, warehouse: Warehouse) -> Finding:
    """Whether the engine answers, and lets its role read every governed source."""
    health = await warehouse.health()
    if not health.ok:
        fix = f"Check {domain.name} in WAREHOUSE_URLS, its role and the server, {_OR_DEMO}."
        return Finding(name=title, health=health, fix=fix)
    closed = [said async for said in _closed(domain, warehouse)]
    if closed:
        fix = "Grant the role of WAREHOUSE_URLS SELECT on it, or mend the source in the catalog's entities."
        return unwell(title, f"cannot read {'; '.join(closed)}", fix)
    return well(title, f"{len(domain.entities)} sources can be read")


async def _closed(domain: Domain, warehouse: Warehouse) -> AsyncIterator[str]:
    """The sources that cannot be read, each with the engine's code."""
    for source, column in _columns(domain.entities):
        try:
            await warehouse.latest(source, column)
        except CountersignError as error:
            detail = error.detail if isinstance(error, OperatorError) else error.code
            yield f"{source} ({detail})"


def _columns(entities: tuple[Entity, ...]) -> Iterator[tuple[str, str]]:
    """Of each dated source the column whose newest value is cheap to ask for."""
    return ((entity.source, entity.time.column) for entity in entities if entity.time)
