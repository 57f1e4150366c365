"""What a process opens before it can work, and closes on the way out: stores, engines, inbox, models."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.processes import Process
from agent.files.interpreting import FileInterpreter
from agent.ports import Clock
from agent.understanding.interpreter import CatalogInterpreter
from agent.understanding.members import WarehouseMembers
from agent.understanding.remembering import Remembering
from agent.values.file import FileLimits
from bot.addresses import Addresses, WarehouseAddress, addresses_of
from bot.clock import FixedDayClock, SystemClock
from bot.connections import SERVICES, ConnectionNeeds, admitted, connection_needs, kind_of
from bot.files.loaded import FileCache
from bot.files.reception import MEGABYTE
from bot.files.scope import ScopedCatalog, ScopedWarehouses
from bot.inbox import Inbox
from bot.live_models import LiveModels, LivePlanner
from bot.models import open_models
from bot.open_warehouses import OpenWarehouses
from bot.operating.compose import measured_warehouse
from bot.operating.measured import MeasuredAudit
from bot.operating.metrics import Metrics
from bot.operating.tracing import open_tracing
from bot.operating.watch import TurnWatch
from bot.processes import left
from bot.settings import Settings
from bot.sources import LoadedCatalog
from bot.stores import Stores, open_stores
from bot.waiting.guards import WarehouseGuards
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import Domain


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
    warehouses: OpenWarehouses
    guards: WarehouseGuards
    engines: ScopedWarehouses
    members: WarehouseMembers
    models: LiveModels
    interpreter: FileInterpreter
    inbox: Inbox
    file_cache: FileCache
    process: Process
    needs: ConnectionNeeds
    switched: Mapping[str, str]


@asynccontextmanager
async def opened(settings: Settings, metrics: Metrics, process: Process) -> AsyncIterator[Opened]:
    """Everything, with the control database migrated. What is counted goes into `metrics`.

    `switched` is what administrators had switched before the files were read. Raises `NoRoomForConnections` for a
    service that does not fit beside the others.
    """
    addresses = addresses_of(settings)
    clock = FixedDayClock(addresses.today) if addresses.today else SystemClock()
    async with AsyncExitStack() as stack:
        stores = await _stores(settings, addresses, clock, process, stack)
        switched = await stores.switches.all()
        watch = _watch(settings, clock, metrics, stack)
        catalog = LoadedCatalog(
            settings.analyst.catalog_dir,
            {name: address.dialect for name, address in addresses.warehouses.items()},
        )
        guards = WarehouseGuards(settings.stores, watch)
        warehouses = _warehouses(settings, addresses, catalog, metrics, process, guards)
        stack.push_async_callback(warehouses.close)
        offered = ScopedCatalog(base=catalog)
        engines = ScopedWarehouses(base=warehouses)
        inbox = await _inbox(addresses, process, stack)
        file_cache = _file_cache(settings, stores, stack)
        members = WarehouseMembers(offered, engines)
        vectors = settings.stores.data_dir / "vectors"
        models = LiveModels(settings.models, lambda agents: open_models(agents, offered, members, vectors, watch))
        stack.push_async_callback(models.close)
        planner = LivePlanner(CatalogInterpreter(offered, members), models, settings.analyst.planner)
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
            guards=guards,
            engines=engines,
            members=members,
            models=models,
            interpreter=FileInterpreter(reader=Remembering(planner, offered), catalog=offered),
            inbox=inbox,
            file_cache=file_cache,
            process=process,
            needs=connection_needs(settings, addresses, kind_of(process)),
            switched=switched,
        )


async def _stores(
    settings: Settings, addresses: Addresses, clock: Clock, process: Process, stack: AsyncExitStack
) -> Stores:
    """The stores over a migrated database, in which the process is entered if it is a service."""
    await migrate(addresses.control, process.name)
    if process.kind in SERVICES:
        await admitted(addresses.control, process, settings.stores.control_connections)
    stores = open_stores(settings, addresses, clock, process)
    stack.push_async_callback(stores.pool.close)
    stack.push_async_callback(stores.cache.aclose)
    if process.kind in SERVICES:
        stack.push_async_callback(left, stores.processes, process)
    return stores


def _watch(settings: Settings, clock: Clock, metrics: Metrics, stack: AsyncExitStack) -> TurnWatch:
    tracing = open_tracing(settings.operating)
    stack.push_async_callback(tracing.close)
    langsmith = settings.operating.unsafe_langsmith
    return TurnWatch(metrics=metrics, clock=clock, tracing=tracing, langsmith=langsmith)


def _warehouses(
    settings: Settings,
    addresses: Addresses,
    catalog: LoadedCatalog,
    metrics: Metrics,
    process: Process,
    guards: WarehouseGuards,
) -> OpenWarehouses:
    connections = settings.stores.warehouse_pool_size

    def open_one(address: WarehouseAddress, domain: Domain) -> ClosableWarehouse:
        return guards.before(measured_warehouse(address, domain, connections, metrics, process.name), domain)

    return OpenWarehouses(addresses.warehouses, open_one, catalog.current())


async def _inbox(addresses: Addresses, process: Process, stack: AsyncExitStack) -> Inbox:
    inbox = Inbox(addresses.control, process.name)
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
