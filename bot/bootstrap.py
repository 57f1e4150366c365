"""The composition root: the only place where ports meet their implementations."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from adapters.control.postgres.checkpoints import create_checkpointer
from adapters.control.postgres.letters import PostgresLetterRows
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.retention import PostgresRetention
from adapters.control.redis.answers import CachedAnswers
from adapters.control.redis.cancels import CancelFlags
from adapters.control.redis.events import SeenEvents
from adapters.control.redis.rate_limit import RateLimit
from agent.conversation import create_conversation
from agent.deps import Deps
from agent.files.interpreting import FileInterpreter
from agent.ports import Clock, Interpreter, Members
from agent.understanding.interpreter import CatalogInterpreter
from agent.understanding.members import WarehouseMembers
from agent.understanding.planner import Planner
from agent.understanding.remembering import Remembering
from agent.values.file import FileLimits
from agent.values.identity import ChannelName
from bot.access import AccessRequests
from bot.addresses import Addresses, addresses_of
from bot.agents_file import read_agents
from bot.asking import Asking
from bot.audience.alone import DeliveryAlone
from bot.audience.gate import AudienceGate
from bot.audience.ports import ChannelMembers
from bot.audience.sharing import Sharing
from bot.chat_commands.compose import CommandParts, chat_commands
from bot.clock import FixedDayClock, SystemClock
from bot.deciding import Deciding
from bot.delivery import Delivery
from bot.dialogs import Dialogs
from bot.driver import RunDriver
from bot.feedback import Feedback
from bot.files.beside import BesideTables
from bot.files.desk import ThreadFiles
from bot.files.loaded import FileCache
from bot.files.reception import MEGABYTE, FileBounds, Reception
from bot.files.scope import ScopedCatalog, ScopedPolicy, ScopedWarehouses
from bot.home import HomeReader
from bot.inbox import Inbox
from bot.intake import Intake
from bot.letters import Letters
from bot.memberships import GroupedPolicy
from bot.models import Models, open_models
from bot.operating.compose import measured_warehouse, operator_routes
from bot.operating.measured import MeasuredAudit
from bot.operating.metrics import Metrics
from bot.operating.routes import OperatorRoutes
from bot.operating.tracing import open_tracing
from bot.operating.watch import TurnWatch
from bot.people import People
from bot.ports import Channel, DirectMessages, FileSource, GroupDirectory
from bot.postman import Postman
from bot.progress import RunProgress
from bot.retention import Retention, kept_of
from bot.run_desk import RunDesk
from bot.schedules.compose import schedules_of
from bot.schedules.desk import Schedules
from bot.schedules.firing import Firing
from bot.schedules.running import ScheduledRuns
from bot.settings import Settings
from bot.signers import Signers
from bot.sources import DomainWarehouses, LoadedCatalog, PolicyFile
from bot.standing import ApprovalsOfKnownGivers, StandingApprovals
from bot.stores import Stores, open_stores
from bot.surfaces import ProductSurfaces
from bot.switchboard import Switchboard
from bot.turns import TurnRunner
from bot.warehouses import ClosableWarehouse
from semantic_catalog.model import DomainName

DEMO_POLICY = Path(__file__).parent / "demo" / "policy.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Everything one process runs with."""

    settings: Settings
    addresses: Addresses
    clock: Clock
    stores: Stores
    warehouses: Mapping[DomainName, ClosableWarehouse]
    policy: GroupedPolicy
    catalog: LoadedCatalog
    files: ThreadFiles
    runner: TurnRunner
    deciding: Deciding
    postman: Postman
    standing: StandingApprovals
    home: HomeReader
    surfaces: ProductSurfaces
    inbox: Inbox
    schedules: Schedules
    firing: Firing
    retention: Retention
    intake: Intake
    watch: TurnWatch
    operators: OperatorRoutes


ChannelFactory = Callable[["Stores"], Mapping[ChannelName, Channel]]


@asynccontextmanager
async def product(
    settings: Settings,
    channels: ChannelFactory,
    sources: Mapping[ChannelName, FileSource] | None = None,
    directories: Mapping[ChannelName, GroupDirectory] | None = None,
    readers: Mapping[ChannelName, ChannelMembers] | None = None,
    metrics: Metrics | None = None,
) -> AsyncIterator[Product]:
    """Build the product, with its control database migrated; everything is closed on the way out.

    Files are fetched from `sources`; of a channel without one none are taken. `directories` say who is in the
    groups that the policy names, `readers` who reads along. What is counted goes into `metrics`.
    """
    addresses = addresses_of(settings)
    clock = FixedDayClock(addresses.today) if addresses.today else SystemClock()
    async with AsyncExitStack() as stack:
        await migrate(addresses.control)
        stores = open_stores(settings, addresses, clock)
        stack.push_async_callback(stores.pool.close)
        stack.push_async_callback(stores.cache.aclose)
        tracing = open_tracing(settings.operating)
        stack.push_async_callback(tracing.close)
        watch = TurnWatch(
            metrics=metrics or Metrics(),
            clock=clock,
            tracing=tracing,
            langsmith=settings.operating.unsafe_langsmith,
        )
        catalog = LoadedCatalog(
            settings.analyst.catalog_dir,
            {name: address.dialect for name, address in addresses.warehouses.items()},
        )
        warehouses = {
            domain.name: measured_warehouse(
                addresses.warehouses[domain.name], domain, settings.stores.warehouse_pool_size, watch.metrics
            )
            for domain in catalog.current().domains
        }
        for warehouse in warehouses.values():
            stack.push_async_callback(warehouse.close)
        inbox = Inbox(addresses.control)
        await inbox.open()
        stack.push_async_callback(inbox.close)
        cache = FileCache(
            folder=settings.stores.file_cache_dir or settings.stores.data_dir / "files",
            store=stores.files,
            limits=FileLimits(bytes=settings.stores.file_max_mb * MEGABYTE),
        )
        stack.push_async_callback(cache.close)
        offered = ScopedCatalog(base=catalog)
        members = WarehouseMembers(offered, ScopedWarehouses(base=DomainWarehouses(by_domain=warehouses)))
        models = open_models(
            read_agents(settings.models), offered, members, settings.stores.data_dir / "vectors", watch
        )
        for close in models.closes:
            stack.push_async_callback(close)
        planner = Planner(CatalogInterpreter(offered, members), models.reader, settings.analyst.planner)
        interpreter = FileInterpreter(reader=Remembering(planner, offered), catalog=offered)
        given = Reception(
            store=stores.files, cache=cache, sources=sources or {}, clock=clock, bounds=_file_bounds(settings)
        )
        groups = MappingProxyType(directories or {})
        yield _assemble(
            settings,
            addresses,
            clock,
            stores,
            catalog,
            warehouses,
            inbox,
            channels,
            interpreter,
            models,
            given,
            groups,
            members,
            MappingProxyType(readers or {}),
            watch,
        )


def _file_bounds(settings: Settings) -> FileBounds:
    stores = settings.stores
    return FileBounds(
        keep=timedelta(days=stores.file_days),
        file_bytes=stores.file_max_mb * MEGABYTE,
        person_bytes=stores.files_max_mb * MEGABYTE,
        per_thread=stores.files_per_thread,
    )


def _assemble(
    settings: Settings,
    addresses: Addresses,
    clock: Clock,
    stores: Stores,
    catalog: LoadedCatalog,
    warehouses: Mapping[DomainName, ClosableWarehouse],
    inbox: Inbox,
    channels: ChannelFactory,
    interpreter: Interpreter,
    models: Models,
    given: Reception,
    directories: Mapping[ChannelName, GroupDirectory],
    members: Members,
    readers: Mapping[ChannelName, ChannelMembers],
    watch: TurnWatch,
) -> Product:
    policy_file = PolicyFile(
        settings.analyst.policy_file or DEMO_POLICY,
        settings.analyst.caps(),
        catalog.current(),
    )
    policy = GroupedPolicy(policy_file, directories, stores.identities)
    offered = ScopedCatalog(base=catalog)
    switchboard = Switchboard(stores.switches, clock, catalog.reload)
    progress = RunProgress(stores.cards)
    cancels = CancelFlags(stores.cache)
    audit = MeasuredAudit(stores.audit, watch.metrics)
    gate = AudienceGate(
        members=readers,
        people=policy,
        policy=ScopedPolicy(base=policy),
        catalog=offered,
        clock=clock,
        most_readers=settings.analyst.audience_most_readers,
    )
    deps = Deps(
        clock=clock,
        catalog=offered,
        policy=ScopedPolicy(base=policy),
        interpreter=interpreter,
        warehouses=ScopedWarehouses(base=DomainWarehouses(by_domain=warehouses)),
        results=stores.results,
        memory=stores.memory,
        progress=progress,
        approvals=ApprovalsOfKnownGivers(store=stores.standing, people=policy),
        answers=CachedAnswers(stores.cache, timedelta(minutes=settings.analyst.answer_cache_minutes)),
        members=members,
        stops=cancels,
        personal=stores.personal,
        pauses=switchboard,
        tables=BesideTables(store=stores.files, cache=given.cache, catalog=offered, clock=clock),
        writer=models.writer,
        surroundings=gate,
        judge=models.judge,
        explainer=models.explainer,
        measures=watch,
        max_clarification_rounds=settings.analyst.max_clarification_rounds,
    )
    posting = channels(stores)
    people = People(
        messages={name: channel for name, channel in posting.items() if isinstance(channel, DirectMessages)},
        policy=policy,
        seen=stores.identities,
    )
    delivery = Delivery(
        clock=clock,
        catalog=offered,
        results=stores.results,
        cards=stores.cards,
        artifacts=stores.artifacts,
        people=people,
        measures=watch,
    )
    letters = Letters(PostgresLetterRows(stores.pool))
    desk = RunDesk(
        deps=deps,
        driver=RunDriver(create_conversation(deps, create_checkpointer(stores.pool))),
        runs=stores.runs,
        audit=audit,
        delivery=delivery,
        progress=progress,
        channels=posting,
        default_locale=settings.analyst.default_locale,
        signers=Signers(people=people, cards=stores.cards),
        gate=gate,
        alone=DeliveryAlone(
            delivery=delivery,
            channels=posting,
            people=people,
            withheld=stores.withheld,
            memory=stores.memory,
            clock=clock,
        ),
        letters=letters,
    )
    standing = StandingApprovals(store=stores.standing, audit=audit, clock=clock)
    files = ThreadFiles(desk=desk, store=stores.files, cache=given.cache, reception=given)
    asking, deciding = Asking(desk=desk), Deciding(desk=desk, standing=standing)
    schedules = schedules_of(desk, stores.schedules, stores.standing, clock)
    commands = chat_commands(
        CommandParts(
            settings=settings,
            lists=stores.lists,
            personal=stores.personal,
            people_data=stores.people,
            threads=stores.threads,
            audit=stores.audit,
            desk=desk,
            asking=asking,
            deciding=deciding,
            people=people,
            cancels=cancels,
            switchboard=switchboard,
            reload_policy=lambda: policy_file.reload(catalog.current()),
            schedules=schedules,
        )
    )
    return Product(
        settings=settings,
        addresses=addresses,
        clock=clock,
        stores=stores,
        warehouses=warehouses,
        policy=policy,
        catalog=catalog,
        files=files,
        runner=TurnRunner(
            watch=watch,
            desk=desk,
            asking=asking,
            deciding=deciding,
            feedback=Feedback(desk=desk, asking=asking, store=stores.feedback, personal=commands.personal),
            commands=commands.desk,
            switchboard=switchboard,
            files=files,
            people=policy,
            access=AccessRequests(desk=desk, people=people),
            sharing=Sharing(desk=desk, gate=gate, withheld=stores.withheld),
            schedules=schedules,
            scheduled=ScheduledRuns(desk=desk, store=stores.schedules, schedules=schedules, people=people),
        ),
        deciding=deciding,
        postman=Postman(desk=desk, files=files),
        standing=standing,
        home=commands.reader,
        surfaces=ProductSurfaces(
            dialogs=Dialogs(runs=stores.runs, catalog=offered),
            reader=commands.reader,
            policy=policy,
            memory_days=settings.retention.memory_days,
        ),
        inbox=inbox,
        schedules=schedules,
        firing=Firing(store=stores.schedules, inbox=inbox, clock=clock, channels=tuple(posting)),
        retention=Retention(
            clock=clock,
            store=PostgresRetention(stores.pool, kept_of(settings.retention)),
            lists=stores.lists,
            stopping=commands.stopping,
            inbox=inbox,
            audit=stores.audit,
            settings=settings.retention,
        ),
        intake=_intake(settings, clock, stores, policy, inbox, files, watch),
        watch=watch,
        operators=operator_routes(addresses, stores.pool, stores.cache, warehouses, watch.metrics),
    )


def _intake(
    settings: Settings,
    clock: Clock,
    stores: Stores,
    policy: GroupedPolicy,
    inbox: Inbox,
    files: ThreadFiles,
    watch: TurnWatch,
) -> Intake:
    return Intake(
        watch=watch,
        inbox=inbox,
        gate=SeenEvents(stores.cache),
        runs=stores.runs,
        audit=MeasuredAudit(stores.audit, watch.metrics),
        policy=policy,
        clock=clock,
        rates=RateLimit(stores.cache, clock),
        default_locale=settings.analyst.default_locale,
        turns_per_minute=settings.analyst.turns_per_minute,
        scope_of=files.scope,
    )
