from dataclasses import replace

import pytest

from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.connections import Pool, connected
from adapters.control.postgres.events import PostgresEventLog
from adapters.control.postgres.queued_turns import PostgresQueuedTurns
from agent.values.identity import RunId, ThreadKey, UserId
from agent.values.turn import CardRef, Place, Turn, TurnKind
from bot.inbox import Inbox
from bot.waiting.retries import lock_while_away
from tests.unit.bot.waiting.test_places import TURN

RUN, SLOT = RunId("RUN1"), "progress:slack:Ev1"


def turn(number: int, thread: str, kind: TurnKind = "message") -> Turn:
    return replace(TURN, event_id=f"slack:Ev{number}", thread=ThreadKey(f"slack:T0HOME:C0SALES:{thread}"), kind=kind)


@pytest.fixture
def queue(pool: Pool) -> PostgresQueuedTurns:
    return PostgresQueuedTurns(pool)


async def _put(inbox: Inbox, pool: Pool, *turns: Turn) -> None:
    """These came a minute ago."""
    for each in turns:
        await inbox.put(each)
    await _do(pool, "UPDATE procrastinate_events SET at = now() - interval '1 minute'")


async def _do(pool: Pool, statement: str) -> None:
    async with connected(pool) as connection:
        await connection.execute(statement.encode())


async def _begun(pool: Pool, number: int) -> None:
    """A worker has taken the turn."""
    await _do(pool, f"UPDATE procrastinate_jobs SET status = 'doing' WHERE queueing_lock = 'slack:Ev{number}'")


async def _told(queue: PostgresQueuedTurns) -> dict[str, int]:
    """How many are before each turn, as its thread would be told now."""
    told = {}
    while untold := await queue.claim(("slack", "teams")):
        told[untold.event.removeprefix("slack:Ev")] = untold.before
        assert untold.turn["event_id"] == untold.event
        await queue.release(untold)
    return told


async def test_before_a_turn_are_those_of_its_thread_and_of_others_what_can_be_taken_first(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "a"), turn(3, "a"), turn(4, "b"), turn(5, "b"), turn(6, "c"))
    assert await _told(queue) == {"1": 0, "2": 1, "3": 2, "4": 1, "5": 2, "6": 2}


async def test_what_waits_for_its_own_thread_is_before_nobody_else(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "a"), turn(3, "b"))
    await _begun(pool, 1)
    assert await _told(queue) == {"2": 1, "3": 0}


async def test_a_change_is_told_after_a_while_and_what_stays_is_not_told_again(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "a"))
    assert await _told(queue) == {"1": 0, "2": 1}
    await _do(pool, "DELETE FROM procrastinate_jobs WHERE queueing_lock = 'slack:Ev1'")
    assert await _told(queue) == {}
    await _do(pool, "UPDATE countersign.queued_turns SET said_at = said_at - interval '1 minute'")
    assert await _told(queue) == {"2": 0}


async def test_nothing_is_told_of_what_just_came_or_asks_for_no_answer_in_a_thread(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    in_terminal = replace(turn(2, "b"), channel="console")
    await _put(inbox, pool, turn(1, "a", "feedback"), in_terminal, turn(3, "c", "cancel"))
    await inbox.put(turn(4, "d"))
    assert await _told(queue) == {}


async def test_a_turn_that_begins_is_told_of_no_more_and_learns_that_somebody_is_about_to(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "b"))
    assert await queue.begin("slack:Ev2", RUN, SLOT) == "unseen"
    first = await queue.claim(("slack",))
    assert first is not None
    await _begun(pool, 1)
    assert await queue.begin(first.event, RUN, SLOT) == "being_told"
    await queue.release(first)
    assert await queue.begin(first.event, RUN, SLOT) == "seen"
    await _do(pool, "UPDATE procrastinate_jobs SET status = 'todo'")
    await _do(pool, "UPDATE countersign.queued_turns SET said = 9, said_at = '-infinity'")
    assert await _told(queue) == {"2": 1}


async def test_a_turn_whose_message_of_work_stands_from_before_is_known_to_have_been_told_of(
    pool: Pool, queue: PostgresQueuedTurns
) -> None:
    thread = ThreadKey("slack:T0HOME:C0SALES:a")
    assert await queue.begin("slack:Ev1", RUN, SLOT) == "unseen"
    await PostgresCardStore(pool).put(
        RUN, SLOT, CardRef(thread=thread, message_id="1"), Place(thread=thread, address="")
    )
    assert await queue.begin("slack:Ev1", RUN, SLOT) == "seen"


async def test_a_repetition_of_a_turn_that_is_being_handled_is_told_of_by_nobody(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"))
    await _begun(pool, 1)
    async with connected(pool) as connection:
        row = await (await connection.execute("SELECT id FROM procrastinate_jobs")).fetchone()
    assert row is not None
    await PostgresEventLog(pool).take("slack:Ev1", row["id"], "worker")
    await _put(inbox, pool, turn(1, "a"))
    assert await _told(queue) == {}


async def test_before_what_waits_for_a_warehouse_are_those_that_wait_for_the_same(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, *(turn(number, str(number)) for number in (1, 2, 3, 4)))
    for number in (1, 3):
        await queue.begin(f"slack:Ev{number}", RUN, SLOT)
        await queue.put_off(f"slack:Ev{number}", "payments")
    await queue.put_off("slack:Ev2", "scrap_prices")
    assert await _told(queue) == {"1": 0, "2": 0, "3": 1, "4": 0}


async def test_a_turn_that_found_no_place_has_not_failed_once_more(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"))
    await _begun(pool, 1)
    await queue.put_off("slack:Ev1", "payments")
    await _do(pool, "SELECT procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL) FROM procrastinate_jobs")
    async with connected(pool) as connection:
        jobs = await connection.execute("SELECT status, attempts FROM procrastinate_jobs")
        assert [(row["status"], row["attempts"]) async for row in jobs] == [("todo", 0)]


async def test_only_its_author_takes_back_a_turn_and_only_while_it_waits(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "b"))
    await _begun(pool, 2)
    assert not await queue.withdraw("slack:Ev1", replace(TURN.author, user_id=UserId("U0BOB")))
    assert await queue.withdraw("slack:Ev1", TURN.author)
    assert not await queue.withdraw("slack:Ev1", TURN.author)
    assert not await queue.withdraw("slack:Ev2", TURN.author)


async def test_what_waited_for_a_warehouse_that_is_back_is_due_at_once_and_nothing_else_is(
    inbox: Inbox, pool: Pool, queue: PostgresQueuedTurns
) -> None:
    await _put(inbox, pool, turn(1, "a"), turn(2, "b"), turn(3, "c"))
    for number, lock in ((1, "again:payments:1"), (2, "again:payments_old:2"), (3, "again:3")):
        await _do(
            pool,
            f"UPDATE procrastinate_jobs SET scheduled_at = now() + interval '5 minutes', lock = '{lock}' "
            f"WHERE queueing_lock = 'slack:Ev{number}'",
        )
    assert await queue.hurry(lock_while_away("payments")) == 1
    async with connected(pool) as connection:
        due = await connection.execute("SELECT lock FROM procrastinate_jobs WHERE scheduled_at <= now()")
        assert [row["lock"] async for row in due] == ["again:payments:1"]
