import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from adapters.warehouses.mysql.connections import MySqlOptions
from adapters.warehouses.mysql.warehouse import MySqlWarehouse
from agent.errors import QueryFailed, QueryTimeout, WarehouseUnavailable
from agent.ports import RowBatch
from agent.values.identity import RunId
from agent.values.result import Row
from bot.demo.state import DomainData
from tests.contract.shop import checked, governed
from tests.contract.shop_mysql import MariaShop, root
from tests.fakes.relay import Relay

RUN = RunId("run-1")
OPTIONS = MySqlOptions(timezone="America/Lima", acquire_timeout=1, lookup_timeout=5, grace=1, max_connections=2)
ENDLESS = "SELECT COUNT(*) FROM v_sales a, v_sales b, v_sales c, v_sales d"


@pytest.fixture
async def warehouse(shop: MariaShop, relay: Relay) -> AsyncIterator[MySqlWarehouse]:
    warehouse = MySqlWarehouse(shop.url("reader", "127.0.0.1", relay.port), OPTIONS)
    yield warehouse
    await warehouse.close()


@pytest.fixture
async def owner(shop: MariaShop) -> AsyncIterator[MySqlWarehouse]:
    """A warehouse that was given far too many rights."""
    warehouse = MySqlWarehouse(shop.url("owner"), OPTIONS)
    yield warehouse
    await warehouse.close()


async def _all(warehouse: MySqlWarehouse, sql: str, row_limit: int = 1000, seconds: float = 20) -> list[RowBatch]:
    return [batch async for batch in warehouse.stream(governed(sql, row_limit, seconds), RUN)]


async def _rows(warehouse: MySqlWarehouse, sql: str, row_limit: int = 1000) -> tuple[Row, ...]:
    return tuple(row for batch in await _all(warehouse, sql, row_limit) for row in batch.rows)


async def _to_the_end(rows: AsyncIterator[RowBatch]) -> None:
    async for _ in rows:
        pass


async def _statements_of(shop: MariaShop, account: str) -> list[object]:
    name = f"{account}_{shop.database.removeprefix('test_')}"
    async with root(shop.socket) as run:
        rows = await run(
            f"SELECT info FROM information_schema.processlist WHERE user = '{name}' AND command IN ('Query', 'Execute')"
        )
    return [info for (info,) in rows]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO months (month) VALUES ('2026-02')",
        "UPDATE sales SET amount = 0",
        "DELETE FROM sales",
        "REPLACE INTO months (month) VALUES ('2026-02')",
        "CREATE TABLE other (id INT)",
        "DROP TABLE sales",
        "TRUNCATE TABLE sales",
        "CREATE OR REPLACE VIEW v_sales AS SELECT 1",
        "ALTER TABLE sales DROP COLUMN amount",
    ],
)
async def test_nothing_is_written_even_where_the_account_may(owner: MySqlWarehouse, shop: MariaShop, sql: str) -> None:
    with pytest.raises(QueryFailed, match=r"^1792 25006$"):
        await _all(owner, sql)
    async with root(shop.socket) as run:
        assert await run(f"SELECT COUNT(*), SUM(amount) FROM {shop.database}.v_sales") == (
            (2000, Decimal("500250.00")),
        )


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO months (month) VALUES ('2026-02')",
        "SELECT 'written' INTO OUTFILE '/tmp/countersign-outfile'",
        "SELECT 'written' INTO DUMPFILE '/tmp/countersign-dumpfile'",
        "LOAD DATA INFILE '/etc/passwd' INTO TABLE months",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE months",
        "SELECT * FROM sales",
        "SELECT * FROM mysql.user",
        "SELECT * FROM mysql.global_priv",
        "SELECT (SELECT MAX(id) FROM sales) FROM v_sales",
        "INSTALL SONAME 'ha_connect'",
        "CREATE FUNCTION sys_exec RETURNS INT SONAME 'lib_mysqludf_sys.so'",
        "SET GLOBAL local_infile = ON",
        "GRANT ALL PRIVILEGES ON *.* TO CURRENT_USER",
        "KILL 1",
        "SHUTDOWN",
    ],
)
async def test_the_agents_account_writes_nothing_and_sees_nothing_hidden(warehouse: MySqlWarehouse, sql: str) -> None:
    with pytest.raises(QueryFailed):
        await _all(warehouse, sql)
    with pytest.raises(QueryFailed):
        await warehouse.estimate(checked(sql))
    assert await _rows(warehouse, "SELECT COUNT(*) FROM v_sales") == ((2000,),)


async def test_the_agents_account_reads_no_file(warehouse: MySqlWarehouse) -> None:
    assert await _rows(warehouse, "SELECT LOAD_FILE('/etc/passwd')") == ((None,),)


@pytest.mark.parametrize(
    "sql", ["SELECT 1; SELECT 2", "COMMIT; DELETE FROM sales", "SELECT 1 /*!; DROP TABLE sales */"]
)
async def test_a_second_statement_is_refused(owner: MySqlWarehouse, sql: str) -> None:
    with pytest.raises(QueryFailed, match=r"^1064 42000$"):
        await _all(owner, sql)
    with pytest.raises(QueryFailed, match=r"^1064 42000$"):
        await owner.estimate(checked(sql))
    assert await _rows(owner, "SELECT COUNT(*) FROM sales") == ((2000,),)


@pytest.mark.parametrize(
    "sql", ["SET @@session.max_statement_time = 0", "COMMIT", "DO 1", "SET SESSION TRANSACTION READ WRITE"]
)
async def test_a_statement_without_rows_is_refused_and_leaves_no_trace(owner: MySqlWarehouse, sql: str) -> None:
    with pytest.raises(QueryFailed, match="no result set"):
        await _all(owner, sql)
    with pytest.raises(QueryFailed, match=r"^1792 25006$"):
        await _all(owner, "DELETE FROM sales")
    with pytest.raises(QueryTimeout):
        await _all(owner, "SELECT SLEEP(3600)", seconds=0.1)


async def test_every_session_has_the_same_settings(warehouse: MySqlWarehouse) -> None:
    ((mode, zone, charset, lists),) = await _rows(
        warehouse, "SELECT @@sql_mode, @@time_zone, @@character_set_client, @@group_concat_max_len > 1000000"
    )
    assert "ONLY_FULL_GROUP_BY" in str(mode)
    assert "ANSI_QUOTES" not in str(mode)
    assert (zone, charset, lists) == ("-05:00", "utf8mb4", 1)
    with pytest.raises(QueryFailed, match=r"^1055 42000$"):
        await _all(warehouse, "SELECT month, ends FROM months GROUP BY ends")


async def test_cells_are_plain_values(warehouse: MySqlWarehouse) -> None:
    batches = await _all(warehouse, "SELECT id, day, month, sold_at, region, amount FROM v_sales WHERE id IN (1, 10)")
    sold_at = datetime(2026, 1, 2, 23, 30, tzinfo=ZoneInfo("America/Lima")) - timedelta(hours=5)
    assert batches[0].rows[0] == (1, date(2026, 1, 2), "2026-01", sold_at, "region 1", Decimal("0.25"))
    assert batches[0].rows[1][4] is None
    assert [kind for _, kind in batches[0].columns] == ["bigint", "date", "text", "timestamp", "text", "decimal"]


async def test_bits_bytes_times_and_texts_of_any_script_arrive(warehouse: MySqlWarehouse) -> None:
    rows = await _rows(warehouse, "SELECT month, is_open, note, closes, ends, 'Лом меди 😀 100 %s' FROM months")
    assert rows == (("2026-01", 1, "0xff00", "-26:05:09", date(2026, 1, 31), "Лом меди 😀 100 %s"),)


async def test_warnings_of_the_engine_that_quote_rows_are_not_logged(
    warehouse: MySqlWarehouse, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await _rows(warehouse, "SELECT CAST(region AS SIGNED), 1 / 0 FROM v_sales")
        await warehouse.members("v_sales", "region", 2)
    assert "region" not in caplog.text


async def test_a_statement_that_is_left_early_stops_on_the_server(warehouse: MySqlWarehouse, shop: MariaShop) -> None:
    rows = warehouse.stream(governed("SELECT a.id FROM v_sales a, v_sales b, v_sales c"), RUN)
    await anext(rows)
    assert len(await _statements_of(shop, "reader")) == 1
    await rows.aclose()
    while await _statements_of(shop, "reader"):  # noqa: ASYNC110 — until the server has noticed
        await asyncio.sleep(0.01)
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_a_caller_that_is_cancelled_stops_its_statement(warehouse: MySqlWarehouse, shop: MariaShop) -> None:
    asking = asyncio.create_task(_all(warehouse, ENDLESS))
    while not any("COUNT" in str(info) for info in await _statements_of(shop, "reader")):  # noqa: ASYNC110 — until it runs
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    while await _statements_of(shop, "reader"):  # noqa: ASYNC110 — until the server has noticed
        await asyncio.sleep(0.01)
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_the_time_limit_is_the_servers_own(warehouse: MySqlWarehouse, shop: MariaShop) -> None:
    with pytest.raises(QueryTimeout):
        await _all(warehouse, ENDLESS, seconds=0.2)
    assert await _statements_of(shop, "reader") == []


async def test_a_plan_of_tables_tells_rows_bytes_and_whole_reads(owner: MySqlWarehouse) -> None:
    query = replace(checked("SELECT region, SUM(amount) FROM sales GROUP BY region"), sources=("sales",))
    estimate = await owner.estimate(query)
    assert estimate.root_rows == 1000
    assert 1900 <= estimate.max_node_rows <= 2100
    assert estimate.plan_cost > 0
    assert estimate.relation_bytes > 50_000
    assert estimate.full_scans == ("sales",)
    by_key = await owner.estimate(checked("SELECT amount FROM sales WHERE day = '2026-01-05'"))
    assert by_key.full_scans == ()
    assert by_key.plan_cost < estimate.plan_cost


async def test_an_estimate_runs_nothing(owner: MySqlWarehouse) -> None:
    estimate = await owner.estimate(checked("SELECT SLEEP(3600) FROM sales a, sales b"))
    assert estimate.max_node_rows > 3_000_000


async def test_a_view_is_planned_by_the_planners_account(shop: MariaShop, warehouse: MySqlWarehouse) -> None:
    with pytest.raises(QueryFailed, match=r"^1345 HY000$"):
        await warehouse.estimate(checked("SELECT region FROM v_sales"))
    planned = MySqlWarehouse(shop.url("reader"), OPTIONS, planner_url=shop.url("planner"))
    assert (await planned.estimate(checked("SELECT region FROM v_sales"))).max_node_rows > 1000
    with pytest.raises(QueryFailed, match=r"^1142 42000$"):
        await _all(planned, "SELECT region FROM sales")
    await planned.close()


async def test_names_are_quoted_whatever_they_hold(shop: MariaShop, owner: MySqlWarehouse) -> None:
    async with root(shop.socket) as run:
        await run(f"CREATE TABLE {shop.database}.`odd ``name%s` (`a``b%d` INT)")
        await run(f"INSERT INTO {shop.database}.`odd ``name%s` VALUES (2), (1)")
    assert await owner.members("odd `name%s", "a`b%d", 10) == ("1", "2")
    assert await owner.members(f"{shop.database}.odd `name%s", "a`b%d", 10) == ("1", "2")


async def test_latest_reads_instants_days_and_months(warehouse: MySqlWarehouse) -> None:
    assert await warehouse.latest("v_sales", "sold_at") == date(2026, 4, 10)
    assert await warehouse.latest("v_sales", "day") == date(2026, 4, 10)
    assert await warehouse.latest("months", "month") == date(2026, 1, 1)


async def test_a_zone_the_server_does_not_know_is_an_outage_not_a_wrong_hour(shop: MariaShop) -> None:
    warehouse = MySqlWarehouse(shop.url("reader"), replace(OPTIONS, timezone="Europe/Moscow"))
    with pytest.raises(WarehouseUnavailable, match=r"^1298 HY000$"):
        await _rows(warehouse, "SELECT NOW()")
    await warehouse.close()


async def test_more_runs_than_connections_wait_and_give_up_in_words(warehouse: MySqlWarehouse) -> None:
    held = [warehouse.stream(governed("SELECT id FROM v_sales"), RunId(f"held-{n}")) for n in range(2)]
    for rows in held:
        await anext(rows)
    with pytest.raises(WarehouseUnavailable):
        await _rows(warehouse, "SELECT 1")
    for rows in held:
        await rows.aclose()
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_a_connection_lost_while_rows_come_is_an_outage(shop: MariaShop, relay: Relay) -> None:
    url = shop.url("reader", "127.0.0.1", relay.port)
    warehouse = MySqlWarehouse(url, replace(OPTIONS, batch_rows=10))
    rows = warehouse.stream(governed("SELECT a.id FROM v_sales a, v_sales b", row_limit=10_000_000), RUN)
    await anext(rows)
    await relay.shut()
    with pytest.raises(WarehouseUnavailable):
        await _to_the_end(rows)
    await relay.open()
    assert await _rows(warehouse, "SELECT 1") == ((1,),)
    await warehouse.close()


async def test_connections_the_server_closed_meanwhile_are_replaced(warehouse: MySqlWarehouse, shop: MariaShop) -> None:
    assert await _rows(warehouse, "SELECT 1") == ((1,),)
    async with root(shop.socket) as run:
        for (number,) in await run(
            f"SELECT id FROM information_schema.processlist WHERE user = 'reader_{shop.database.removeprefix('test_')}'"
        ):
            await run(f"KILL {number}")
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_a_server_that_hangs_is_given_up(shop: MariaShop, relay: Relay) -> None:
    warehouse = MySqlWarehouse(shop.url("reader", "127.0.0.1", relay.port), replace(OPTIONS, grace=0.2))
    assert await _rows(warehouse, "SELECT 1") == ((1,),)
    waiting = asyncio.create_task(_all(warehouse, "SELECT SLEEP(3600)", seconds=0.1))
    while not waiting.done() and RUN not in warehouse._running._by_run:  # noqa: ASYNC110 — until the statement runs
        await asyncio.sleep(0.001)
    relay.freeze()
    with pytest.raises(WarehouseUnavailable, match="stopped answering"):
        await waiting
    await warehouse.close()


async def test_nothing_connects_before_the_first_call(shop: MariaShop, relay: Relay) -> None:
    await relay.shut()
    warehouse = MySqlWarehouse(shop.url("reader", "127.0.0.1", relay.port), OPTIONS)
    assert (await warehouse.health()).ok is False
    await relay.open()
    assert (await warehouse.health()).ok is True
    await warehouse.close()


async def test_health_does_not_wait_for_a_server_that_hangs(shop: MariaShop, relay: Relay) -> None:
    relay.freeze()
    options = replace(OPTIONS, connect_timeout=0.2)
    health = await MySqlWarehouse(shop.url("reader", "127.0.0.1", relay.port), options).health()
    assert (health.ok, health.detail) == (False, "no answer")


async def test_health_says_why_and_keeps_the_password(shop: MariaShop) -> None:
    wrong = shop.url("reader").replace("hunter2", "hunter3")
    health = await MySqlWarehouse(wrong, OPTIONS).health()
    assert "Access denied" in health.detail
    assert "hunter" not in health.detail


async def test_a_refused_sign_in_is_an_outage(shop: MariaShop) -> None:
    warehouse = MySqlWarehouse(shop.url("reader").replace("hunter2", "hunter3"), OPTIONS)
    with pytest.raises(WarehouseUnavailable, match=r"^1045 28000$"):
        await _rows(warehouse, "SELECT 1")
    await warehouse.close()


async def test_errors_do_not_quote_rows(warehouse: MySqlWarehouse) -> None:
    with pytest.raises(QueryFailed) as failed:
        await _all(warehouse, "SELECT EXTRACTVALUE(1, CONCAT('/', region, '~')) FROM v_sales WHERE region = 'region 1'")
    assert failed.value.detail == "1105 HY000"
    assert failed.value.__suppress_context__


async def test_the_books_of_the_demo_can_be_estimated_and_read(erp_finance: DomainData) -> None:
    warehouse = MySqlWarehouse(erp_finance.reader_url, MySqlOptions(timezone="America/Lima"))
    sql = (
        "SELECT a.period, SUM(a.amount * t.sign) AS revenue FROM fin_actuals AS a JOIN trm_accounts AS t"
        " ON t.account = a.account WHERE t.statement_line = 'Revenue' AND a.period = '2026-10' GROUP BY a.period"
    )
    estimate = await warehouse.estimate(replace(checked(sql), sources=("fin_actuals", "trm_accounts")))
    assert estimate.plan_cost > 0
    assert estimate.relation_bytes > 100_000
    ((period, revenue),) = await _rows(warehouse, sql)
    assert period == "2026-10"
    assert isinstance(revenue, Decimal)
    assert revenue > 0
    assert await warehouse.latest("fin_actuals", "period") == date(2026, 10, 1)
    assert "CB100" in await warehouse.members("cebes", "cebe", 10)
    await warehouse.close()


async def test_now_is_read_in_the_warehouses_zone(warehouse: MySqlWarehouse) -> None:
    ((now,),) = await _rows(warehouse, "SELECT CAST(NOW() AS DATETIME)")
    assert isinstance(now, datetime)
    assert abs(now.replace(tzinfo=ZoneInfo("America/Lima")) - datetime.now(UTC)) < timedelta(minutes=1)
