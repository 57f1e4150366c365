import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import date
from typing import cast

import pytest

from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, ResultTooLarge, WarehouseUnavailable
from agent.ports import RowBatch, Warehouse
from agent.values.governance import GovernedQuery
from agent.values.identity import RunId
from tests.contract.shop import checked, governed
from tests.contract.warehouse_subjects import REGION_RULE, ROWS, SUBJECTS, Subject

RUN = RunId("run-1")


@pytest.fixture(params=SUBJECTS)
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    async with SUBJECTS[request.param](request) as made:
        yield made


async def _all(warehouse: Warehouse, query: GovernedQuery) -> list[RowBatch]:
    return [batch async for batch in warehouse.stream(query, RUN)]


async def _rows(warehouse: Warehouse, query: GovernedQuery) -> tuple[object, ...]:
    return tuple(row for batch in await _all(warehouse, query) for row in batch.rows)


async def _cancel_when_running(warehouse: Warehouse, running: asyncio.Task[list[RowBatch]]) -> None:
    while not running.done() and not await warehouse.cancel(RUN):  # noqa: ASYNC110 — until the statement runs
        await asyncio.sleep(0.01)


async def test_says_its_dialect(subject: Subject) -> None:
    assert subject.warehouse.dialect == subject.words.dialect


async def test_streams_every_row_in_order_with_the_columns_in_each_batch(subject: Subject) -> None:
    batches = await _all(subject.warehouse, governed(subject.words.numbers))
    assert [len(batch.rows) for batch in batches] == [2, 2, 1]
    assert tuple(row for batch in batches for row in batch.rows) == ROWS
    assert {batch.columns for batch in batches} == {subject.words.columns}


async def test_an_empty_result_still_names_its_columns(subject: Subject) -> None:
    assert await _all(subject.warehouse, governed(subject.words.nothing)) == [
        RowBatch(columns=subject.words.columns, rows=())
    ]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6])
async def test_stops_at_the_row_limit(subject: Subject, limit: int) -> None:
    assert await _rows(subject.warehouse, governed(subject.words.numbers, row_limit=limit)) == ROWS[:limit]


async def test_more_bytes_than_allowed_are_not_handed_over(subject: Subject) -> None:
    with pytest.raises(ResultTooLarge) as stopped:
        await _all(subject.warehouse, replace(governed(subject.words.numbers), byte_limit=50))
    assert stopped.value.params == {"megabytes": 1}
    assert await _rows(subject.warehouse, governed(subject.words.numbers)) == ROWS


async def test_a_query_past_its_time_is_stopped(subject: Subject) -> None:
    with pytest.raises(QueryTimeout) as stopped:
        await _all(subject.warehouse, governed(subject.words.endless, timeout_seconds=0.2))
    assert stopped.value.params == {"seconds": 1}


async def test_a_query_the_engine_refuses_fails_by_name(subject: Subject) -> None:
    with pytest.raises(QueryFailed, match=f"^{subject.words.failure}$"):
        await _all(subject.warehouse, governed(subject.words.broken))


async def test_cancel_stops_the_run_that_is_named(subject: Subject) -> None:
    running = asyncio.create_task(_all(subject.warehouse, governed(subject.words.endless)))
    await _cancel_when_running(subject.warehouse, running)
    with pytest.raises(QueryCancelled):
        await running
    assert await _rows(subject.warehouse, governed(subject.words.numbers)) == ROWS


async def test_a_stream_that_is_left_early_frees_its_connection(subject: Subject) -> None:
    for _ in range(12):
        rows = cast("AsyncGenerator[RowBatch, None]", subject.warehouse.stream(governed(subject.words.numbers), RUN))
        assert (await anext(rows)).rows == ROWS[:2]
        await rows.aclose()
    assert await subject.warehouse.cancel(RUN) is False
    assert await _rows(subject.warehouse, governed(subject.words.numbers)) == ROWS


async def test_runs_at_the_same_time_do_not_mix(subject: Subject) -> None:
    endless = asyncio.create_task(_all(subject.warehouse, governed(subject.words.endless)))
    other = RunId("run-2")
    rows = [batch.rows async for batch in subject.warehouse.stream(governed(subject.words.numbers), other)]
    assert [row for batch in rows for row in batch] == list(ROWS)
    assert await subject.warehouse.cancel(other) is False
    await _cancel_when_running(subject.warehouse, endless)
    with pytest.raises(QueryCancelled):
        await endless


async def test_cancel_of_a_run_that_does_not_run_is_false(subject: Subject) -> None:
    assert await subject.warehouse.cancel(RUN) is False
    await _all(subject.warehouse, governed(subject.words.numbers))
    assert await subject.warehouse.cancel(RUN) is False


async def test_members_are_distinct_sorted_and_without_null(subject: Subject) -> None:
    assert await subject.warehouse.members(f"{subject.words.shop}v_sales", "region", 10) == (
        "region 0",
        "region 1",
        "region 2",
    )
    assert await subject.warehouse.members(f"{subject.words.shop}v_sales", "region", 2) == ("region 0", "region 1")


async def test_members_of_rows_that_a_rule_holds_for_are_all_that_is_told(subject: Subject) -> None:
    found = await subject.warehouse.members(f"{subject.words.shop}v_sales", "region", 10, REGION_RULE)
    assert found == ("region 1", "region 2")


async def test_latest_is_the_last_day_or_the_first_of_the_last_month(subject: Subject) -> None:
    assert await subject.warehouse.latest(f"{subject.words.shop}v_sales", "day") == date(2026, 4, 10)
    assert await subject.warehouse.latest(f"{subject.words.shop}v_sales", "month") == date(2026, 4, 1)
    assert await subject.warehouse.latest(f"{subject.words.shop}v_nothing", "day") is None


async def test_an_estimate_has_a_cost_and_rows(subject: Subject) -> None:
    estimate = await subject.warehouse.estimate(checked(subject.words.numbers))
    assert estimate.plan_cost > 0
    assert 0 < estimate.root_rows <= estimate.max_node_rows


async def test_a_query_that_cannot_run_cannot_be_estimated(subject: Subject) -> None:
    with pytest.raises(QueryFailed):
        await subject.warehouse.estimate(checked(subject.words.broken))


async def test_every_call_says_so_when_the_engine_is_away_and_works_again_once_it_is_back(subject: Subject) -> None:
    warehouse = subject.warehouse
    assert (await warehouse.health()).ok
    await _all(warehouse, governed(subject.words.numbers))
    await subject.take_away()
    calls: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: _all(warehouse, governed(subject.words.numbers)),
        lambda: warehouse.estimate(checked(subject.words.numbers)),
        lambda: warehouse.members(f"{subject.words.shop}v_sales", "region", 10),
        lambda: warehouse.latest(f"{subject.words.shop}v_sales", "day"),
    )
    for call in calls:
        with pytest.raises(WarehouseUnavailable):
            await call()
    assert not (await warehouse.health()).ok
    await subject.bring_back()
    assert (await warehouse.health()).ok
    assert await _rows(warehouse, governed(subject.words.numbers)) == ROWS
