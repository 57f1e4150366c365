"""What a process opens before it can work, and closes on the way out: stores, engines, inbox, models."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from adapters.control.postgres.migrate import migrate
from agent.files.interpreting import FileInterpreter
from agent.ports import Clock
from agent.understanding.interpreter import CatalogInterpreter
from agent.understanding.members import WarehouseMembers
from agent.understanding.planner import Planner
from agent.understanding.remembering import Remembering
from agent.values.file import FileLimits
from bot.addresses import Addresses, addresses_of
from bot.agents_file import read_agents
from bot.clock import FixedDayClock, SystemClock
from bot.files.loaded import FileCache
from bot.files.reception import MEGABYTE
from bot.files.scope import ScopedCatalog, ScopedWarehouses
from bot.inbox import Inbox
from bot.models import Models, open_models
from bot.operating.compose import measured_warehouse
from bot.operating.measured import MeasuredAudit
from bot.operating.metrics import Metrics
from bot.operating.tracing import open_tracing
from bot.operating.watch import TurnWatch
from bot.settings import Settings
from bot.sources import DomainWarehouses, LoadedCatalog
from bot.stores import Stores, open_stores
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import DomainName


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What stands open. `offered` and `engines` are catalog and warehouses with the files of a turn's thread."""

    settings: Settings
    addresses: Addresses
    clock: Clock
    stores: Stores
    audit: MeasuredAudit
    watch: TurnWatch
    catalog: LoadedCatalog
    offered: ScopedCatalog
    warehouses: Mapping[DomainName, ClosableWarehouse]
    engines: ScopedWarehouses
    members: WarehouseMembers
    models: Models
    interpreter: FileInterpreter
    inbox: Inbox
    file_cache: FileCache


@asynccontextmanager
async def opened(settings: Settings, metrics: Metrics) -> AsyncIterator[Opened]:
    """Everything, with the control database migrated. What is counted goes into `metrics`."""
    addresses = addresses_of(settings)
    clock = FixedDayClock(addresses.today) if addresses.today else SystemClock()
    async with AsyncExitStack() as stack:
        await migrate(addresses.control)
        stores = open_stores(settings, addresses, clock)
        stack.push_async_callback(stores.pool.close)
        stack.push_async_callback(stores.cache.aclose)
        watch = _watch(settings, clock, metrics, stack)
        catalog = LoadedCatalog(
            settings.analyst.catalog_dir,
            {name: address.dialect for name, address in addresses.warehouses.items()},
        )
        warehouses = _warehouses(settings, addresses, catalog, metrics, stack)
        offered = ScopedCatalog(base=catalog)
        engines = ScopedWarehouses(base=DomainWarehouses(by_domain=warehouses))
        inbox = await _inbox(addresses, stack)
        file_cache = _file_cache(settings, stores, stack)
        members = WarehouseMembers(offered, engines)
        models = open_models(
            read_agents(settings.models), offered, members, settings.stores.data_dir / "vectors", watch
        )
        for close in models.closes:
            stack.push_async_callback(close)
        planner = Planner(CatalogInterpreter(offered, members), models.reader, settings.analyst.planner)
        yield Opened(
            settings=settings,
            addresses=addresses,
            clock=clock,
            stores=stores,
            audit=MeasuredAudit(stores.audit, metrics),
            watch=watch,
            catalog=catalog,
            offered=offered,
            warehouses=warehouses,
            engines=engines,
            members=members,
            models=models,
            interpreter=FileInterpreter(reader=Remembering(planner, offered), catalog=offered),
            inbox=inbox,
            file_cache=file_cache,
        )


def _watch(settings: Settings, clock: Clock, metrics: Metrics, stack: AsyncExitStack) -> TurnWatch:
    tracing = open_tracing(settings.operating)
    stack.push_async_callback(tracing.close)
    langsmith = settings.operating.unsafe_langsmith
    return TurnWatch(metrics=metrics, clock=clock, tracing=tracing, langsmith=langsmith)


def _warehouses(
    settings: Settings, addresses: Addresses, catalog: LoadedCatalog, metrics: Metrics, stack: AsyncExitStack
) -> dict[DomainName, ClosableWarehouse]:
    connections = settings.stores.warehouse_pool_size
    warehouses = {
        domain.name: measured_warehouse(addresses.warehouses[domain.name], domain, connections, metrics)
        for domain in catalog.current().domains
    }
    for warehouse in warehouses.values():
        stack.push_async_callback(warehouse.close)
    return warehouses


async def _inbox(addresses: Addresses, stack: AsyncExitStack) -> Inbox:
    inbox = Inbox(addresses.control)
    await inbox.open()
    stack.push_async_callback(inbox.close)
    return inbox


def _file_cache(settings: Settings, stores: Stores, stack: AsyncExitStack) -> FileCache:
    cache = FileCache(
        folder=settings.stores.file_cache_dir or settings.stores.data_dir / "files",
        store=stores.files,
        limits=FileLimits(bytes=settings.stores.file_max_mb * MEGABYTE),
    )
    stack.push_async_callback(cache.close)
    return cache
