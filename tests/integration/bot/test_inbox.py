import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.control.postgres.connections import Pool, connected
from adapters.control.postgres.events import PostgresEventLog
from agent.values.identity import ExternalUser, TenantId, ThreadKey, UserId
from agent.values.turn import Audience, Turn
from bot.inbox import TASK, Inbox
from bot.leases import Leases

TURN = Turn(
    event_id="slack:Ev1",
    channel="slack",
    tenant=TenantId("T0HOME"),
    thread=ThreadKey("slack:T0HOME:C0SALES:1.0"),
    author=ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA")),
    audience=Audience(kind="channel"),
    kind="message",
    received_at=datetime(2026, 11, 1, tzinfo=UTC),
    text="approval rate",
)


@pytest.fixture
async def two_workers(fresh_database: str) -> AsyncIterator[tuple[Inbox, Inbox]]:
    first, second = Inbox(fresh_database), Inbox(fresh_database)
    await first.open()
    await second.open()
    yield first, second
    await first.close()
    await second.close()


async def _nothing(_: Turn) -> None:
    return


async def _stopped(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_processes_that_start_at_once_on_an_empty_database_all_start(empty_database: str) -> None:
    inboxes = [Inbox(empty_database) for _ in range(4)]
    await asyncio.gather(*(inbox.open() for inbox in inboxes))
    assert await inboxes[0].put(TURN)
    await asyncio.gather(*(inbox.close() for inbox in inboxes))


async def test_a_timely_job_is_done_once_each_time_whoever_does_it(
    two_workers: tuple[Inbox, Inbox], pool: Pool
) -> None:
    done: list[datetime] = []
    enough = asyncio.Event()

    async def job(at: datetime) -> None:
        done.append(at)
        if len(done) >= 3:
            enough.set()

    for inbox in two_workers:
        inbox.repeat("tick", "* * * * * */1", job)
    workers = [
        asyncio.create_task(inbox.work(_nothing, Leases(PostgresEventLog(pool)), concurrency=1))
        for inbox in two_workers
    ]
    await enough.wait()
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    assert len(done) == len(set(done))
    assert done == sorted(done)


async def test_a_turn_that_a_stop_cuts_short_goes_on_in_another_worker_at_once(
    two_workers: tuple[Inbox, Inbox], pool: Pool
) -> None:
    first, second = two_workers
    await first.put(TURN)
    begun, done = asyncio.Event(), asyncio.Event()

    async def hang(_: Turn) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def finish(turn: Turn) -> None:
        assert turn == TURN
        done.set()

    stopping = asyncio.create_task(first.work(hang, Leases(PostgresEventLog(pool)), concurrency=1, finish_within=0))
    await begun.wait()
    await _stopped(stopping)
    going_on = asyncio.create_task(second.work(finish, Leases(PostgresEventLog(pool)), concurrency=1))
    await done.wait()
    await _stopped(going_on)


async def test_a_job_that_its_worker_could_not_end_is_taken_over(two_workers: tuple[Inbox, Inbox], pool: Pool) -> None:
    first, _ = two_workers
    await first.put(TURN)
    async with connected(pool) as connection:
        # As a worker leaves it that was killed, or lost the database before it could write that the turn has ended.
        await connection.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE task_name = %s", (TASK,))
        await connection.execute("UPDATE procrastinate_events SET at = now() - interval '1 minute'")
    events = PostgresEventLog(pool)
    (job,) = await events.abandoned("turns")
    assert await events.take(TURN.event_id, job, "alive") == "taken"
    assert await events.abandoned("turns") == ()
    await events.release("alive")
    done = asyncio.Event()

    async def finish(_: Turn) -> None:
        done.set()

    working = asyncio.create_task(first.work(finish, Leases(events), concurrency=1))
    await done.wait()
    await _stopped(working)


async def _doing(pool: Pool) -> None:
    """The newest job runs in a worker that was killed a minute ago."""
    async with connected(pool) as connection:
        await connection.execute(
            "UPDATE procrastinate_jobs SET status = 'doing' WHERE id = (SELECT max(id) FROM procrastinate_jobs)"
        )
        await connection.execute("UPDATE procrastinate_events SET at = now() - interval '1 minute'")


@pytest.mark.parametrize("has_taken", ["the abandoned one", "the one that waits", "neither"])
async def test_a_repetition_that_waits_behind_an_abandoned_turn_keeps_nothing_from_going_on(
    two_workers: tuple[Inbox, Inbox], pool: Pool, has_taken: str
) -> None:
    first, _ = two_workers
    await first.put(TURN)
    await _doing(pool)
    assert await first.put(TURN)
    other = replace(TURN, event_id="slack:Ev2", thread=ThreadKey("slack:T0HOME:C0SALES:2.0"))
    await first.put(other)
    await _doing(pool)
    async with connected(pool) as connection:
        rows = await (await connection.execute("SELECT id FROM procrastinate_jobs ORDER BY id")).fetchall()
    abandoned, waiting, _ = (row["id"] for row in rows)
    events = PostgresEventLog(pool)
    owner = {"the abandoned one": abandoned, "the one that waits": waiting}.get(has_taken)
    if owner is not None:
        await events.take(TURN.event_id, owner, "dead")
        await events.release("dead")
    done: list[str] = []
    both = asyncio.Event()

    async def finish(turn: Turn) -> None:
        done.append(turn.event_id)
        if len(done) >= 2:
            both.set()

    working = asyncio.create_task(first.work(finish, Leases(events), concurrency=2))
    await both.wait()
    await _stopped(working)
    assert sorted(done) == [TURN.event_id, other.event_id]
