import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date

import pytest
from psycopg.conninfo import make_conninfo

from adapters.warehouses.postgres.connections import WarehouseOptions
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, WarehouseUnavailable
from agent.ports import RowBatch, Warehouse
from agent.values.governance import GovernedQuery
from agent.values.identity import RunId
from tests.contract.shop import checked, governed, shop, socket_of
from tests.fakes.relay import open_relay
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse

NUMBERS = "SELECT n AS number, 'row ' || n AS label FROM generate_series(1, 5) AS n ORDER BY n"
NOTHING = "SELECT id AS number, region AS label FROM shop.v_nothing"
ENDLESS = "SELECT pg_sleep(3600)"
BROKEN = "SELECT 1 / 0"
COLUMNS = (("number", "int4"), ("label", "text"))
ROWS = tuple((n, f"row {n}") for n in range(1, 6))
RUN = RunId("run-1")


@dataclass(frozen=True, kw_only=True)
class Subject:
    warehouse: Warehouse
    take_away: Callable[[], Awaitable[None]]
    bring_back: Callable[[], Awaitable[None]]


@pytest.fixture(params=["postgres", "scripted"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    if request.param == "scripted":
        yield _scripted()
        return
    owner_url: str = request.getfixturevalue("fresh_database")
    with shop(owner_url) as reader_url:
        async with _postgres(reader_url) as made:
            yield made


@asynccontextmanager
async def _postgres(reader_url: str) -> AsyncIterator[Subject]:
    async with open_relay(socket_of(reader_url)) as relay:
        url = make_conninfo(reader_url, host="127.0.0.1", port=relay.port)
        options = WarehouseOptions(acquire_timeout=1, batch_rows=2)
        warehouse = PostgresWarehouse(url, options)
        yield Subject(warehouse=warehouse, take_away=relay.shut, bring_back=relay.open)
        await warehouse.close()


def _scripted() -> Subject:
    class Endless(ScriptedWarehouse):
        async def _pass_gate(self, query: GovernedQuery, run: RunId) -> None:
            (self.open_gate.clear if query.query.sql == ENDLESS else self.open_gate.set)()
            await super()._pass_gate(query, run)

    warehouse = Endless(
        results={
            NUMBERS: ScriptedResult(columns=COLUMNS, rows=ROWS),
            NOTHING: ScriptedResult(columns=COLUMNS),
            BROKEN: ScriptedResult(fails="22012 DivisionByZero"),
        },
        values={("shop.v_sales", "region"): ("region 2", "region 0", "region 1", "region 0")},
        newest={("shop.v_sales", "day"): date(2026, 4, 10), ("shop.v_sales", "month"): date(2026, 4, 1)},
    )

    async def move(away: bool) -> None:
        warehouse.away = away

    return Subject(warehouse=warehouse, take_away=lambda: move(True), bring_back=lambda: move(False))


async def _all(warehouse: Warehouse, query: GovernedQuery) -> list[RowBatch]:
    return [batch async for batch in warehouse.stream(query, RUN)]


async def _rows(warehouse: Warehouse, query: GovernedQuery) -> tuple[object, ...]:
    return tuple(row for batch in await _all(warehouse, query) for row in batch.rows)


async def test_streams_every_row_in_order_with_the_columns_in_each_batch(subject: Subject) -> None:
    batches = await _all(subject.warehouse, governed(NUMBERS))
    assert [len(batch.rows) for batch in batches] == [2, 2, 1]
    assert tuple(row for batch in batches for row in batch.rows) == ROWS
    assert {batch.columns for batch in batches} == {COLUMNS}


async def test_an_empty_result_still_names_its_columns(subject: Subject) -> None:
    assert await _all(subject.warehouse, governed(NOTHING)) == [RowBatch(columns=COLUMNS, rows=())]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6])
async def test_stops_at_the_row_limit(subject: Subject, limit: int) -> None:
    assert await _rows(subject.warehouse, governed(NUMBERS, row_limit=limit)) == ROWS[:limit]


async def test_a_query_past_its_time_is_stopped(subject: Subject) -> None:
    with pytest.raises(QueryTimeout) as stopped:
        await _all(subject.warehouse, governed(ENDLESS, timeout_seconds=0.2))
    assert stopped.value.params == {"seconds": 1}


async def test_a_query_the_engine_refuses_fails_by_name(subject: Subject) -> None:
    with pytest.raises(QueryFailed, match=r"^22012 DivisionByZero$"):
        await _all(subject.warehouse, governed(BROKEN))


async def test_cancel_stops_the_run_that_is_named(subject: Subject) -> None:
    running = asyncio.create_task(_all(subject.warehouse, governed(ENDLESS)))
    while not running.done() and not await subject.warehouse.cancel(RUN):  # noqa: ASYNC110 — until the statement runs
        await asyncio.sleep(0.01)
    with pytest.raises(QueryCancelled):
        await running
    assert await _rows(subject.warehouse, governed(NUMBERS)) == ROWS


async def test_cancel_of_a_run_that_does_not_run_is_false(subject: Subject) -> None:
    assert await subject.warehouse.cancel(RUN) is False
    await _all(subject.warehouse, governed(NUMBERS))
    assert await subject.warehouse.cancel(RUN) is False


async def test_members_are_distinct_sorted_and_without_null(subject: Subject) -> None:
    assert await subject.warehouse.members("shop.v_sales", "region", 10) == ("region 0", "region 1", "region 2")
    assert await subject.warehouse.members("shop.v_sales", "region", 2) == ("region 0", "region 1")


async def test_latest_is_the_last_day_or_the_first_of_the_last_month(subject: Subject) -> None:
    assert await subject.warehouse.latest("shop.v_sales", "day") == date(2026, 4, 10)
    assert await subject.warehouse.latest("shop.v_sales", "month") == date(2026, 4, 1)
    assert await subject.warehouse.latest("shop.v_nothing", "day") is None


async def test_an_estimate_has_a_cost_and_rows(subject: Subject) -> None:
    estimate = await subject.warehouse.estimate(checked(NUMBERS))
    assert estimate.plan_cost > 0
    assert 0 < estimate.root_rows <= estimate.max_node_rows


async def test_a_query_that_cannot_run_cannot_be_estimated(subject: Subject) -> None:
    with pytest.raises(QueryFailed):
        await subject.warehouse.estimate(checked(BROKEN))


async def test_every_call_says_so_when_the_engine_is_away_and_works_again_once_it_is_back(subject: Subject) -> None:
    warehouse = subject.warehouse
    assert (await warehouse.health()).ok
    await _all(warehouse, governed(NUMBERS))
    await subject.take_away()
    calls: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: _all(warehouse, governed(NUMBERS)),
        lambda: warehouse.estimate(checked(NUMBERS)),
        lambda: warehouse.members("shop.v_sales", "region", 10),
        lambda: warehouse.latest("shop.v_sales", "day"),
    )
    for call in calls:
        with pytest.raises(WarehouseUnavailable):
            await call()
    assert not (await warehouse.health()).ok
    await subject.bring_back()
    assert (await warehouse.health()).ok
    assert await _rows(warehouse, governed(NUMBERS)) == ROWS
