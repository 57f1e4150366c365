"""What the product keeps, and where."""

from dataclasses import dataclass
from datetime import timedelta

from redis.asyncio import Redis

from adapters.control.budgets import ControlBudgets
from adapters.control.postgres.artifacts import PostgresArtifactStore
from adapters.control.postgres.audit import PostgresAuditLog
from adapters.control.postgres.budgets import PostgresBudgetLedger
from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.columnar import give_memory_back
from adapters.control.postgres.connections import Pool, create_pool
from adapters.control.postgres.events import PostgresEventLog
from adapters.control.postgres.feedback import PostgresFeedbackStore
from adapters.control.postgres.fetches import PostgresFetches
from adapters.control.postgres.files import PostgresFileStore
from adapters.control.postgres.identities import PostgresSeenIdentities
from adapters.control.postgres.memory import PostgresMemoryStore
from adapters.control.postgres.people import PostgresPeople
from adapters.control.postgres.personal import PostgresPersonalStore
from adapters.control.postgres.processes import PostgresProcesses, Process
from adapters.control.postgres.queued_turns import PostgresQueuedTurns
from adapters.control.postgres.results import PostgresResultStore
from adapters.control.postgres.run_lists import PostgresRunLists
from adapters.control.postgres.runs import PostgresRunStore
from adapters.control.postgres.schedules import PostgresScheduleStore
from adapters.control.postgres.standing import PostgresStandingStore
from adapters.control.postgres.switches import PostgresSwitches
from adapters.control.postgres.threads import PostgresThreads
from adapters.control.postgres.withheld import PostgresWithheldAnswers
from adapters.control.redis.budgets import BudgetSums
from adapters.control.redis.connections import create_client
from agent.ports import Clock
from bot.addresses import Addresses
from bot.processes import cache_name
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Every store of one process."""

    pool: Pool
    cache: Redis
    runs: PostgresRunStore
    cards: PostgresCardStore
    artifacts: PostgresArtifactStore
    audit: PostgresAuditLog
    events: PostgresEventLog
    threads: PostgresThreads
    results: PostgresResultStore
    fetches: PostgresFetches
    memory: PostgresMemoryStore
    standing: PostgresStandingStore
    lists: PostgresRunLists
    personal: PostgresPersonalStore
    people: PostgresPeople
    feedback: PostgresFeedbackStore
    switches: PostgresSwitches
    identities: PostgresSeenIdentities
    files: PostgresFileStore
    withheld: PostgresWithheldAnswers
    schedules: PostgresScheduleStore
    spent: PostgresBudgetLedger
    budgets: ControlBudgets
    processes: PostgresProcesses
    queued: PostgresQueuedTurns


def open_stores(settings: Settings, addresses: Addresses, clock: Clock, process: Process) -> Stores:
    """The stores over their pool and their client, which the caller closes."""
    sizes = settings.stores
    give_memory_back()
    pool = create_pool(addresses.control, max_connections=sizes.control_pool_size, name=process.name)
    cache = create_client(addresses.cache, max_connections=sizes.redis_pool_size, name=cache_name(process))
    spent = PostgresBudgetLedger(pool)
    keep = timedelta(days=settings.stores.result_days)
    return Stores(
        pool=pool,
        cache=cache,
        runs=PostgresRunStore(pool),
        cards=PostgresCardStore(pool),
        artifacts=PostgresArtifactStore(pool, clock, keep),
        audit=PostgresAuditLog(pool, clock),
        events=PostgresEventLog(pool),
        threads=PostgresThreads(pool),
        results=PostgresResultStore(pool, clock, keep),
        fetches=PostgresFetches(pool, clock),
        memory=PostgresMemoryStore(pool),
        standing=PostgresStandingStore(pool),
        lists=PostgresRunLists(pool),
        personal=PostgresPersonalStore(pool, timedelta(days=settings.retention.memory_days)),
        people=PostgresPeople(pool),
        feedback=PostgresFeedbackStore(pool),
        switches=PostgresSwitches(pool),
        identities=PostgresSeenIdentities(pool),
        files=PostgresFileStore(pool),
        withheld=PostgresWithheldAnswers(pool),
        schedules=PostgresScheduleStore(pool),
        queued=PostgresQueuedTurns(pool),
        spent=spent,
        budgets=ControlBudgets(ledger=spent, sums=BudgetSums(cache)),
        processes=PostgresProcesses(pool, sizes.control_connections),
    )
