import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from adapters.warehouses.postgres.connections import WarehouseOptions
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from agent.errors import QueryFailed, WarehouseUnavailable
from agent.ports import RowBatch
from agent.values.identity import RunId
from agent.values.result import Row
from bot.demo.state import DomainData
from tests.contract.shop import checked, governed, shop, socket_of
from tests.fakes.relay import Relay, open_relay

RUN = RunId("run-1")
OPTIONS = WarehouseOptions(timezone="America/Lima", acquire_timeout=1, lookup_timeout=5, grace=1, max_connections=2)


@pytest.fixture
def reader_url(empty_database: str) -> Iterator[str]:
    with shop(empty_database) as url:
        yield url


@pytest.fixture
async def relay(reader_url: str) -> AsyncIterator[Relay]:
    async with open_relay(socket_of(reader_url)) as relay:
        yield relay


@pytest.fixture
async def warehouse(reader_url: str, relay: Relay) -> AsyncIterator[PostgresWarehouse]:
    warehouse = PostgresWarehouse(make_conninfo(reader_url, host="127.0.0.1", port=relay.port), OPTIONS)
    yield warehouse
    await warehouse.close()


@pytest.fixture
async def owner(empty_database: str) -> AsyncIterator[PostgresWarehouse]:
    """A warehouse that was given far too many rights."""
    warehouse = PostgresWarehouse(empty_database, OPTIONS)
    yield warehouse
    await warehouse.close()


async def _all(warehouse: PostgresWarehouse, sql: str, row_limit: int = 1000) -> list[RowBatch]:
    return [batch async for batch in warehouse.stream(governed(sql, row_limit), RUN)]


async def _rows(warehouse: PostgresWarehouse, sql: str, row_limit: int = 1000) -> tuple[Row, ...]:
    return tuple(row for batch in await _all(warehouse, sql, row_limit) for row in batch.rows)


def _statements_of_reader(empty_database: str, text: str) -> int:
    with psycopg.connect(empty_database) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE %s",
            (f"%{text}%",),
        ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO hidden.sales (id) VALUES (-1) RETURNING id",
        "WITH gone AS (DELETE FROM hidden.sales RETURNING id) SELECT count(*) FROM gone",
        "SELECT nextval('hidden.numbers')",
        "CREATE TABLE hidden.other (id int)",
    ],
)
async def test_nothing_is_written_even_where_the_role_may(
    owner: PostgresWarehouse, empty_database: str, reader_url: str, sql: str
) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("CREATE SEQUENCE hidden.numbers")
    with pytest.raises(QueryFailed, match=r"^25006 ReadOnlySqlTransaction$"):
        await _all(owner, sql)


@pytest.mark.parametrize("sql", ["SELECT 1; SELECT 2", "COMMIT; DELETE FROM hidden.sales"])
async def test_a_second_statement_is_refused(owner: PostgresWarehouse, reader_url: str, sql: str) -> None:
    with pytest.raises(QueryFailed, match=r"^42601 SyntaxError$"):
        await _all(owner, sql)
    with pytest.raises(QueryFailed, match=r"^42601 SyntaxError$"):
        await owner.estimate(checked(sql))
    assert await _rows(owner, "SELECT count(*) FROM hidden.sales") == ((2000,),)


async def test_the_role_sees_the_views_and_nothing_behind_them(warehouse: PostgresWarehouse) -> None:
    assert await _rows(warehouse, "SELECT count(*) FROM shop.v_sales") == ((2000,),)
    with pytest.raises(QueryFailed, match=r"^42501 InsufficientPrivilege$"):
        await _all(warehouse, "SELECT count(*) FROM hidden.sales")


async def test_an_unqualified_name_finds_no_table(owner: PostgresWarehouse, empty_database: str) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("CREATE TABLE public.secrets (id int)")
    with pytest.raises(QueryFailed, match=r"^42P01 UndefinedTable$"):
        await _all(owner, "SELECT * FROM secrets")


async def test_cells_come_back_as_values_and_other_types_as_text(warehouse: PostgresWarehouse) -> None:
    sql = """
        SELECT 1::int8, 1.50::numeric(14, 2), 0.5::float8, true, 'ñ'::text, 'x'::char(3), date '2026-10-31',
               timestamptz '2026-10-31 23:30-05', timestamp '2026-10-31 12:00', NULL::int, interval '1 day',
               '{1,2}'::int[], '{"a": 1}'::jsonb, '\\x00ff'::bytea
    """
    (batch,) = await _all(warehouse, sql)
    lima = datetime(2026, 10, 31, 23, 30, tzinfo=ZoneInfo("America/Lima"))
    noon = datetime(2026, 10, 31, 12, 0)  # noqa: DTZ001 — a timestamp without a zone
    expected = (1, Decimal("1.50"), 0.5, True, "ñ", "x  ", date(2026, 10, 31), lima, noon, None)
    assert batch.rows == ((*expected, "1 day", "{1,2}", '{"a": 1}', "\\x00ff"),)
    assert [type(cell) for cell in batch.rows[0][:9]] == [type(cell) for cell in expected[:9]]
    assert str(batch.rows[0][7]) == "2026-10-31 23:30:00-05:00"
    kinds = "int8 numeric float8 bool text bpchar date timestamptz timestamp int4 interval int4[] jsonb bytea"
    assert " ".join(kind for _, kind in batch.columns) == kinds


async def test_a_percent_sign_is_only_a_percent_sign(warehouse: PostgresWarehouse) -> None:
    sql = "SELECT count(*) FROM shop.v_sales WHERE region LIKE 'region%' AND id % 2 = 0"
    assert (await warehouse.estimate(checked(sql))).root_rows == 1
    assert await _rows(warehouse, sql) == ((800,),)


async def test_an_instant_is_dated_in_the_warehouses_zone(warehouse: PostgresWarehouse) -> None:
    assert await warehouse.latest("shop.v_sales", "sold_at") == date(2026, 4, 10)


async def test_a_name_with_a_quote_in_it_is_a_name(warehouse: PostgresWarehouse) -> None:
    with pytest.raises(QueryFailed, match=r"^42703 UndefinedColumn$"):
        await warehouse.members("shop.v_sales", 'id" FROM hidden.sales --', 10)


async def test_an_estimate_looks_behind_the_view(warehouse: PostgresWarehouse, empty_database: str) -> None:
    estimate = await warehouse.estimate(checked("SELECT region, sum(amount) FROM shop.v_sales GROUP BY region"))
    with psycopg.connect(empty_database) as connection:
        row = connection.execute("SELECT pg_total_relation_size('hidden.sales')").fetchone()
    assert row == (estimate.relation_bytes,)
    assert (estimate.max_node_rows, estimate.full_scans) == (2000, ("hidden.sales",))
    assert estimate.root_rows < estimate.max_node_rows


async def test_an_estimate_runs_nothing(warehouse: PostgresWarehouse) -> None:
    assert (await warehouse.estimate(checked("SELECT pg_sleep(3600)"))).root_rows == 1


async def test_leaving_the_rows_early_stops_the_statement(warehouse: PostgresWarehouse, empty_database: str) -> None:
    endless = "SELECT generate_series(1, 1000000000), 'left early'"
    rows = warehouse.stream(governed(endless, 1_000_000_000), RUN)
    await anext(rows)
    assert _statements_of_reader(empty_database, "left early") == 1
    await rows.aclose()
    assert _statements_of_reader(empty_database, "left early") == 0
    assert await warehouse.cancel(RUN) is False


async def test_a_statement_past_its_row_limit_does_not_run_on(
    warehouse: PostgresWarehouse, empty_database: str
) -> None:
    endless = "SELECT generate_series(1, 1000000000), 'past the limit'"
    assert len(await _rows(warehouse, endless, row_limit=2500)) == 2500
    assert _statements_of_reader(empty_database, "past the limit") == 0


async def test_what_a_statement_sets_ends_with_it(owner: PostgresWarehouse) -> None:
    setting = "SELECT set_config('search_path', 'hidden', false), set_config('statement_timeout', '0', false)"
    for _ in range(OPTIONS.max_connections):
        await _all(owner, setting)
    assert await _rows(owner, "SELECT current_setting('search_path')") == (("pg_catalog",),)


async def test_a_server_that_drops_the_connection_is_unavailable_and_then_back(
    warehouse: PostgresWarehouse, empty_database: str
) -> None:
    rows = warehouse.stream(governed("SELECT generate_series(1, 1000000000)", 10_000_000), RUN)
    await anext(rows)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'countersign' AND datname = current_database()"
        )
    with pytest.raises(WarehouseUnavailable):
        async for _ in rows:
            pass
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_a_server_that_hangs_is_given_up(reader_url: str, relay: Relay) -> None:
    url = make_conninfo(reader_url, host="127.0.0.1", port=relay.port)
    warehouse = PostgresWarehouse(url, replace(OPTIONS, grace=0.2, connect_timeout=2))
    assert await _rows(warehouse, "SELECT 1") == ((1,),)
    rows = warehouse.stream(governed("SELECT pg_sleep(3600)", timeout_seconds=0.1), RUN)
    waiting = asyncio.create_task(anext(rows))
    while not waiting.done() and RUN not in warehouse._running._by_run:  # noqa: ASYNC110 — until the statement runs
        await asyncio.sleep(0.01)
    relay.freeze()
    with pytest.raises(WarehouseUnavailable, match="stopped answering"):
        await waiting
    await warehouse.close()


async def test_nothing_connects_before_the_first_call(reader_url: str) -> None:
    async with open_relay(socket_of(reader_url)) as relay:
        await relay.shut()
        warehouse = PostgresWarehouse(make_conninfo(reader_url, host="127.0.0.1", port=relay.port), OPTIONS)
        assert (await warehouse.health()).ok is False
        await relay.open()
        assert (await warehouse.health()).ok is True
        assert await _rows(warehouse, "SELECT 1") == ((1,),)
        await warehouse.close()


async def test_health_does_not_wait_for_a_server_that_hangs(reader_url: str, relay: Relay) -> None:
    relay.freeze()
    url = make_conninfo(reader_url, host="127.0.0.1", port=relay.port)
    health = await PostgresWarehouse(url, replace(OPTIONS, connect_timeout=0.2)).health()
    assert (health.ok, health.detail) == (False, "no answer")


async def test_health_says_why_and_keeps_the_password(reader_url: str, relay: Relay) -> None:
    await relay.shut()
    url = make_conninfo(reader_url, host="127.0.0.1", port=relay.port, password="hunter2")
    health = await PostgresWarehouse(url, OPTIONS).health()
    assert "refused" in health.detail
    assert "hunter2" not in health.detail


async def test_errors_do_not_quote_rows(warehouse: PostgresWarehouse) -> None:
    with pytest.raises(QueryFailed) as failed:
        await _all(warehouse, "SELECT region::int FROM shop.v_sales")
    assert failed.value.detail == "22P02 InvalidTextRepresentation"
    assert failed.value.__suppress_context__


async def test_the_demo_reader_gets_an_estimate_of_a_governed_view(payments: DomainData) -> None:
    warehouse = PostgresWarehouse(payments.reader_url, WarehouseOptions(timezone="America/Lima"))
    estimate = await warehouse.estimate(
        checked("SELECT sum(approved_count) FROM semantic.v_daily_payment_metrics WHERE payment_date >= '2026-10-25'")
    )
    assert estimate.plan_cost > 0
    assert estimate.relation_bytes > 1_000_000
    assert await warehouse.latest("semantic.v_daily_payment_metrics", "payment_date") == date(2026, 10, 31)
    channels = await warehouse.members("semantic.v_daily_payment_metrics", "channel", 10)
    assert channels == ("atm", "ecommerce", "mobile", "pos")
    await warehouse.close()
