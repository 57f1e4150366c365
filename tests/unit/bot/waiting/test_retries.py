import asyncio
from datetime import UTC, datetime
from math import ceil

import pytest
from procrastinate.jobs import Job

from agent.errors import QueryFailed, StoreUnavailable, WarehouseBusy, WarehouseResting, WarehouseUnavailable
from bot.leases import TurnHeld
from bot.waiting.retries import KeepTrying

JOB = 7


def decided(error: BaseException, attempts: int = 0) -> tuple[int, str | None] | None:
    """After how many seconds the turn comes back, and the lock it has then where that is another."""
    job = Job(id=JOB, queue="turns", lock="a thread", queueing_lock="slack:Ev1", task_name="handle_turn")
    decision = KeepTrying().get_retry_decision(exception=error, job=job.evolve(attempts=attempts))
    if decision is None:
        return None
    assert decision.retry_at is not None
    return ceil((decision.retry_at - datetime.now(UTC)).total_seconds()), decision.lock


def test_pauses_grow_and_a_turn_whose_dependency_is_away_holds_its_thread_no_more() -> None:
    away = StoreUnavailable("away")
    assert [decided(away, attempts) for attempts in (0, 1, 2, 50)] == [
        (5, "again:7"),
        (10, "again:7"),
        (20, "again:7"),
        (300, "again:7"),
    ]


def test_a_turn_that_waits_for_a_warehouse_to_answer_is_known_by_it() -> None:
    assert decided(WarehouseUnavailable("away", domain="payments")) == (5, "again:payments:7")
    assert decided(WarehouseResting("rests", domain="payments", rests_for=14.6)) == (15, "again:payments:7")


def test_a_turn_that_found_no_place_comes_back_soon_and_keeps_its_thread() -> None:
    assert decided(WarehouseBusy("full", domain="payments"), attempts=50) == (2, None)


@pytest.mark.parametrize(("error", "seconds"), [(TurnHeld("job 7"), 5), (asyncio.CancelledError(), 0)])
def test_what_another_holds_or_a_stop_cut_short_keeps_its_thread(error: BaseException, seconds: int) -> None:
    assert decided(error) == (seconds, None)


def test_what_does_not_pass_by_itself_is_not_tried_again() -> None:
    assert decided(QueryFailed("42703")) is None
