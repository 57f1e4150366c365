"""The composition root: the only place where ports meet their implementations."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from adapters.control.postgres.checkpoints import create_checkpointer
from adapters.control.postgres.letters import PostgresLetterRows
from adapters.control.postgres.processes import BEAT_EVERY_SECONDS, Process
from adapters.control.postgres.retention import PostgresRetention
from adapters.control.redis.answers import CachedAnswers
from adapters.control.redis.cancels import CancelFlags
from adapters.control.redis.events import SeenEvents
from agent.conversation import create_conversation
from agent.deps import Deps
from agent.ports import Clock
from agent.repeating import repeated
from agent.values.identity import ChannelName
from bot.access import AccessRequests
from bot.addresses import Addresses
from bot.asking import Asking
from bot.audience.alone import DeliveryAlone
from bot.audience.ports import ChannelMembers
from bot.audience.sharing import Sharing
from bot.chat_commands.compose import ChatCommands, CommandParts, chat_commands
from bot.connections import SERVICES
from bot.deciding import Deciding
from bot.delivery import Delivery
from bot.dialogs import Dialogs
from bot.driver import RunDriver
from bot.feedback import Feedback
from bot.files.beside import BesideTables
from bot.files.desk import ThreadFiles
from bot.files.reception import MEGABYTE, FileBounds, Reception
from bot.home import HomeReader
from bot.inbox import Inbox
from bot.intake import Intake
from bot.letters import Letters
from bot.links import links_of
from bot.memberships import GroupedPolicy
from bot.open_warehouses import OpenWarehouses
from bot.opening import Opened, opened
from bot.operating.compose import control_check, operator_routes, show_needs
from bot.operating.metrics import Metrics
from bot.operating.routes import OperatorRoutes
from bot.operating.watch import TurnWatch
from bot.people import People
from bot.ports import Channel, DirectMessages, FileSource, GroupDirectory
from bot.postman import Postman
from bot.presence import Presence
from bot.processes import this_process
from bot.progress import RunProgress
from bot.rates import turn_rates
from bot.retention import Retention, kept_of
from bot.ruling import Authority, authority_of
from bot.run_desk import RunDesk
from bot.schedules.compose import schedules_of
from bot.schedules.desk import Schedules
from bot.schedules.firing import Firing
from bot.schedules.running import ScheduledRuns
from bot.settings import Settings
from bot.signers import Signers
from bot.sources import LoadedCatalog
from bot.standing import ApprovalsOfKnownGivers, StandingApprovals
from bot.stores import Stores
from bot.surfaces import ProductSurfaces
from bot.turns import TurnRunner
from bot.waiting.guards import WarehouseGuards
from bot.waiting.notices import QueueNotices

DEMO_POLICY = Path(__file__).parent / "demo" / "policy.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Everything one process runs with."""

    settings: Settings
    addresses: Addresses
    clock: Clock
    stores: Stores
    warehouses: OpenWarehouses
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
    queue: QueueNotices
    guards: WarehouseGuards
    presence: Presence


ChannelFactory = Callable[["Stores"], Mapping[ChannelName, Channel]]


@asynccontextmanager
async def product(
    settings: Settings,
    channels: ChannelFactory,
    sources: Mapping[ChannelName, FileSource] | None = None,
    directories: Mapping[ChannelName, GroupDirectory] | None = None,
    readers: Mapping[ChannelName, ChannelMembers] | None = None,
    metrics: Metrics | None = None,
    process: Process | None = None,
) -> AsyncIterator[Product]:
    """Build the product, with its control database migrated; everything is closed on the way out.

    A `process` that is a service is one of those that share the control database: it says that it lives, and takes
    over what is switched and reloaded elsewhere, also while it handles nothing. Raises `NoRoomForConnections`.

    Files are fetched from `sources`; of a channel without one none are taken. `directories` say who is in the
    groups that the policy names, `readers` who reads along. What is counted goes into `metrics`.
    """
    process = process or this_process("command", settings.stores.control_pool_size)
    async with opened(settings, metrics or Metrics(), process) as parts:
        platforms = _Platforms(
            posting=channels(parts.stores),
            sources=sources or {},
            directories=MappingProxyType(directories or {}),
            readers=MappingProxyType(readers or {}),
        )
        built = _assemble(parts, platforms)
        if process.kind not in SERVICES:
            yield built
            return
        async with repeated(built.presence.beat, BEAT_EVERY_SECONDS):
            yield built


@dataclass(frozen=True, slots=True, kw_only=True)
class _Platforms:
    """What each chat platform is asked for."""

    posting: Mapping[ChannelName, Channel]
    sources: Mapping[ChannelName, FileSource]
    directories: Mapping[ChannelName, GroupDirectory]
    readers: Mapping[ChannelName, ChannelMembers]


def _deps(parts: Opened, authority: Authority, progress: RunProgress, cancels: CancelFlags) -> Deps:
    settings, stores, models, clock = parts.settings, parts.stores, parts.models, parts.clock
    return Deps(
        clock=clock,
        catalog=parts.offered,
        policy=authority.scoped,
        interpreter=parts.interpreter,
        warehouses=parts.engines,
        results=stores.results,
        fetches=stores.fetches,
        memory=stores.memory,
        progress=progress,
        approvals=ApprovalsOfKnownGivers(store=stores.standing, people=authority.people),
        answers=CachedAnswers(stores.cache, timedelta(minutes=settings.analyst.answer_cache_minutes)),
        members=parts.members,
        stops=cancels,
        personal=stores.personal,
        pauses=authority.switchboard,
        tables=BesideTables(store=stores.files, cache=parts.file_cache, catalog=parts.offered, clock=clock),
        agents=models.current,
        surroundings=authority.gate,
        measures=parts.watch,
        budgets=stores.budgets,
        currency=lambda: models.agents.currency,
        max_clarification_rounds=settings.analyst.max_clarification_rounds,
    )


def _people(parts: Opened, authority: Authority, platforms: _Platforms) -> People:
    messages = {name: channel for name, channel in platforms.posting.items() if isinstance(channel, DirectMessages)}
    return People(messages=messages, policy=authority.people, seen=parts.stores.identities)


def _desk(
    parts: Opened, authority: Authority, platforms: _Platforms, people: People, deps: Deps, progress: RunProgress
) -> RunDesk:
    stores, clock = parts.stores, parts.clock
    delivery = Delivery(
        clock=clock,
        catalog=parts.offered,
        results=stores.results,
        cards=stores.cards,
        artifacts=stores.artifacts,
        people=people,
        measures=parts.watch,
        link_for=links.link_for if (links := links_of(parts.settings.http)) is not None else None,
        default_locale=parts.settings.analyst.default_locale,
    )
    alone = DeliveryAlone(
        delivery=delivery,
        channels=platforms.posting,
        people=people,
        withheld=stores.withheld,
        memory=stores.memory,
        clock=clock,
    )
    return RunDesk(
        deps=deps,
        driver=RunDriver(create_conversation(deps, create_checkpointer(stores.pool))),
        runs=stores.runs,
        audit=parts.audit,
        delivery=delivery,
        progress=progress,
        channels=platforms.posting,
        default_locale=parts.settings.analyst.default_locale,
        signers=Signers(people=people, cards=stores.cards),
        gate=authority.gate,
        alone=alone,
        letters=Letters(PostgresLetterRows(stores.pool)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Services:
    """What turns are handled with."""

    desk: RunDesk
    people: People
    asking: Asking
    deciding: Deciding
    standing: StandingApprovals
    schedules: Schedules
    files: ThreadFiles
    commands: ChatCommands
    queue: QueueNotices


def _services(parts: Opened, authority: Authority, platforms: _Platforms) -> _Services:
    stores, clock = parts.stores, parts.clock
    progress, cancels = RunProgress(stores.cards), CancelFlags(stores.cache)
    people = _people(parts, authority, platforms)
    desk = _desk(parts, authority, platforms, people, _deps(parts, authority, progress, cancels), progress)
    standing = StandingApprovals(store=stores.standing, audit=parts.audit, clock=clock)
    asking, deciding = Asking(desk=desk), Deciding(desk=desk, standing=standing)
    schedules = schedules_of(desk, stores.schedules, stores.standing, clock)
    commands = chat_commands(
        CommandParts(
            settings=parts.settings,
            lists=stores.lists,
            personal=stores.personal,
            people_data=stores.people,
            threads=stores.threads,
            spent=stores.spent,
            desk=desk,
            asking=asking,
            deciding=deciding,
            people=people,
            cancels=cancels,
            switchboard=authority.switchboard,
            faults=authority.presence.faults,
            schedules=schedules,
        )
    )
    return _Services(
        desk=desk,
        people=people,
        asking=asking,
        deciding=deciding,
        standing=standing,
        schedules=schedules,
        files=_files(parts, platforms, desk),
        commands=commands,
        queue=QueueNotices(desk, stores.queued),
    )


def _files(parts: Opened, platforms: _Platforms, desk: RunDesk) -> ThreadFiles:
    store, cache, bounds = parts.stores.files, parts.file_cache, _file_bounds(parts.settings)
    reception = Reception(store=store, cache=cache, sources=platforms.sources, clock=parts.clock, bounds=bounds)
    return ThreadFiles(desk=desk, store=store, cache=cache, reception=reception)


def _file_bounds(settings: Settings) -> FileBounds:
    stores = settings.stores
    return FileBounds(
        keep=timedelta(days=stores.file_days),
        file_bytes=stores.file_max_mb * MEGABYTE,
        person_bytes=stores.files_max_mb * MEGABYTE,
        per_thread=stores.files_per_thread,
    )


def _runner(parts: Opened, authority: Authority, services: _Services) -> TurnRunner:
    stores, desk, schedules, people = parts.stores, services.desk, services.schedules, services.people
    personal = services.commands.personal
    return TurnRunner(
        watch=parts.watch,
        desk=desk,
        lists=stores.lists,
        asking=services.asking,
        deciding=services.deciding,
        feedback=Feedback(desk=desk, asking=services.asking, store=stores.feedback, personal=personal),
        commands=services.commands.desk,
        switchboard=authority.switchboard,
        queue=services.queue,
        files=services.files,
        people=authority.people,
        access=AccessRequests(desk=desk, people=people),
        sharing=Sharing(desk=desk, gate=authority.gate, withheld=stores.withheld),
        schedules=schedules,
        scheduled=ScheduledRuns(desk=desk, store=stores.schedules, schedules=schedules, people=people),
    )


def _assemble(parts: Opened, platforms: _Platforms) -> Product:
    policy_file = parts.settings.analyst.policy_file or DEMO_POLICY
    authority = authority_of(parts, policy_file, platforms.directories, platforms.readers)
    services = _services(parts, authority, platforms)
    show_needs(parts.watch.metrics, parts.needs)
    stores, clock, inbox, commands = parts.stores, parts.clock, parts.inbox, services.commands
    return Product(
        settings=parts.settings,
        addresses=parts.addresses,
        clock=clock,
        stores=stores,
        warehouses=parts.warehouses,
        policy=authority.people,
        catalog=parts.catalog,
        files=services.files,
        runner=_runner(parts, authority, services),
        deciding=services.deciding,
        postman=Postman(desk=services.desk, files=services.files),
        standing=services.standing,
        home=commands.reader,
        surfaces=ProductSurfaces(
            dialogs=Dialogs(runs=stores.runs, catalog=parts.offered),
            reader=commands.reader,
            policy=authority.people,
            memory_days=parts.settings.retention.memory_days,
        ),
        inbox=inbox,
        schedules=services.schedules,
        firing=Firing(store=stores.schedules, inbox=inbox, clock=clock, channels=tuple(platforms.posting)),
        retention=_retention(parts, commands),
        intake=_intake(parts, authority.people, services),
        watch=parts.watch,
        queue=services.queue,
        guards=parts.guards,
        operators=operator_routes(
            control_check(parts.addresses, parts.process),
            stores,
            parts.warehouses,
            parts.watch.metrics,
            authority.presence.faults,
        ),
        presence=authority.presence,
    )


def _retention(parts: Opened, commands: ChatCommands) -> Retention:
    return Retention(
        clock=parts.clock,
        store=PostgresRetention(parts.stores.pool, kept_of(parts.settings.retention)),
        lists=parts.stores.lists,
        stopping=commands.stopping,
        inbox=parts.inbox,
        audit=parts.stores.audit,
        settings=parts.settings.retention,
    )


def _intake(parts: Opened, policy: GroupedPolicy, services: _Services) -> Intake:
    stores, clock = parts.stores, parts.clock
    return Intake(
        watch=parts.watch,
        inbox=parts.inbox,
        gate=SeenEvents(stores.cache),
        runs=stores.runs,
        audit=parts.audit,
        policy=policy,
        clock=clock,
        rates=turn_rates(parts.settings, stores.cache, clock),
        default_locale=parts.settings.analyst.default_locale,
        has_room=services.deciding.has_room,
        scope_of=services.files.scope,
    )
