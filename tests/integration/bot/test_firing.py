import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import psycopg
import pytest

from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.events import PostgresEventLog
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.people import PostgresPeople
from adapters.control.postgres.schedules import PostgresScheduleStore
from agent.values.governance import CheckedQuery, Risk
from agent.values.identity import ExternalUser, PrincipalId, TenantId, ThreadKey, UserId
from agent.values.schedule import Recurrence, Schedule, ScheduleId
from agent.values.spec import QuerySpec
from agent.values.turn import Audience, Place, Turn
from bot.inbox import Inbox
from bot.leases import Leases
from bot.schedules.firing import Firing, scheduled_turn
from semantic_catalog.model import CatalogVersion, DomainName, MetricName
from tests.fakes.clock import FrozenClock

MONDAY = datetime(2026, 11, 2, 14, 0, tzinfo=UTC)
THREAD = ThreadKey("slack:T0HOME:C0SALES:1.0")
ANA = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA"))
PAYMENTS = DomainName("payments")
WEEKLY = Schedule(
    id=ScheduleId("WEEKLY"),
    owner=PrincipalId("ana"),
    owner_name="Ana",
    user=ANA,
    title="Approval rate",
    locale="en",
    spec=QuerySpec(domain=PAYMENTS, metrics=(MetricName("approval_rate"),)),
    recurrence=Recurrence(every="week", at=time(9), timezone="America/Lima", weekday=0),
    query=CheckedQuery(
        domain=PAYMENTS,
        dialect="postgres",
        sql="SELECT 1",
        sources=(),
        row_rules=(),
        row_limit=501,
        principal=PrincipalId("ana"),
        catalog_version=CatalogVersion("1"),
        fingerprint="f",
        origin="compiled",
    ),
    risk=Risk(level="routine", tier="auto"),
    place=Place(thread=THREAD, address=""),
    audience=Audience(kind="channel"),
    created_at=MONDAY - timedelta(days=30),
    due_at=MONDAY,
)


@pytest.fixture
async def control(fresh_database: str) -> str:
    await migrate(fresh_database)
    inbox = Inbox(fresh_database)
    await inbox.open()
    await inbox.close()
    with psycopg.connect(fresh_database) as connection:
        connection.execute("CREATE TABLE handled (event text, at_once timestamptz DEFAULT now())")
    return fresh_database


@pytest.fixture
async def store(control: str) -> AsyncIterator[PostgresScheduleStore]:
    pool = create_pool(control)
    yield PostgresScheduleStore(pool)
    await pool.close()


def handled(control: str) -> list[str]:
    with psycopg.connect(control) as connection:
        return [row[0] for row in connection.execute("SELECT event FROM handled ORDER BY event").fetchall()]


async def fire_and_work(control: str, now: datetime) -> None:
    """What one worker process does in its minute: look for what is due, then handle what is in the inbox."""
    pool, inbox = create_pool(control), Inbox(control)
    await inbox.open()

    async def handle(turn: Turn) -> None:
        async with await psycopg.AsyncConnection.connect(control, autocommit=True) as connection:
            await connection.execute("INSERT INTO handled (event) VALUES (%s)", (turn.event_id,))

    try:
        firing = Firing(
            store=PostgresScheduleStore(pool), inbox=inbox, clock=FrozenClock(now), channels=("slack", "teams")
        )
        await firing.fire()
        await inbox.work(handle, Leases(PostgresEventLog(pool)), concurrency=4, until_empty=True)
        await firing.fire()
    finally:
        await inbox.close()
        await pool.close()


def process(control: str, now: datetime, ready: "multiprocessing.synchronize.Barrier") -> None:
    ready.wait()
    asyncio.run(fire_and_work(control, now))


async def test_two_processes_fire_each_time_once(control: str, store: PostgresScheduleStore) -> None:
    schedules = [
        replace(WEEKLY, id=ScheduleId(f"S{n:02}"), place=Place(thread=ThreadKey(f"{THREAD}{n}"), address=""))
        for n in range(20)
    ]
    for schedule in schedules:
        await store.add(schedule)
    spawn = multiprocessing.get_context("spawn")
    ready = spawn.Barrier(2)
    now = MONDAY + timedelta(minutes=1)
    both = [spawn.Process(target=process, args=(control, now, ready)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        await asyncio.to_thread(each.join)
    assert [each.exitcode for each in both] == [0, 0]
    await fire_and_work(control, now)
    assert handled(control) == [scheduled_turn(each, now).event_id for each in schedules]


async def test_times_that_were_missed_are_one_run(control: str, store: PostgresScheduleStore) -> None:
    await store.add(WEEKLY)
    now = MONDAY + timedelta(days=17)
    await fire_and_work(control, now)
    await fire_and_work(control, now)
    assert len(handled(control)) == 1
    [moved_on] = await store.of(PrincipalId("ana"))
    assert moved_on.due_at == MONDAY + timedelta(days=21)


async def test_a_crash_after_the_turn_was_stored_fires_nothing_twice(
    control: str, store: PostgresScheduleStore
) -> None:
    await store.add(WEEKLY)
    await fire_and_work(control, MONDAY)
    [moved_on] = await store.of(PrincipalId("ana"))
    assert await store.update(replace(moved_on, due_at=MONDAY), "active"), "as if it had not moved on"
    await fire_and_work(control, MONDAY)
    assert len(handled(control)) == 1


async def test_what_is_paused_or_of_another_channel_is_not_fired(control: str, store: PostgresScheduleStore) -> None:
    await store.add(replace(WEEKLY, status="paused"))
    console = ExternalUser(channel="console", tenant=TenantId(""), user_id=UserId("ana"))
    await store.add(replace(WEEKLY, id=ScheduleId("CONSOLE"), user=console))
    await fire_and_work(control, MONDAY)
    assert handled(control) == []


async def test_a_schedule_moves_on_and_changes_for_one_process_only(store: PostgresScheduleStore) -> None:
    assert await store.add(WEEKLY)
    assert not await store.add(WEEKLY)
    following = MONDAY + timedelta(days=7)
    assert await store.advance(WEEKLY, following)
    assert not await store.advance(WEEKLY, following)
    paused = replace(WEEKLY, status="paused", due_at=following)
    assert await store.update(paused, "active")
    assert not await store.update(paused, "active")
    assert await store.get(WEEKLY.id) == paused
    assert await store.of_tenant("slack", TenantId("T0HOME")) == ()
    assert await store.delete(WEEKLY.id)
    assert await store.get(WEEKLY.id) is None


async def test_who_is_forgotten_leaves_no_schedule_behind(control: str, store: PostgresScheduleStore) -> None:
    pool = create_pool(control)
    await store.add(WEEKLY)
    await store.add(replace(WEEKLY, id=ScheduleId("BOBS"), owner=PrincipalId("bob")))
    await PostgresPeople(pool).forget(PrincipalId("ana"))
    await pool.close()
    assert await store.of(PrincipalId("ana")) == ()
    assert len(await store.of(PrincipalId("bob"))) == 1
