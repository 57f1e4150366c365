import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import pandas
import pytest
from duckdb import DuckDBPyConnection

from adapters.warehouses.duckdb.options import DuckDbOptions
from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse
from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, WarehouseUnavailable
from agent.ports import RowBatch
from agent.values.identity import RunId
from agent.values.result import Row
from tests.contract.shop import checked, governed
from tests.contract.shop_duckdb import duck_shop

RUN = RunId("run-1")
OPTIONS = DuckDbOptions(timezone="America/Lima", schemas=("shop",), acquire_timeout=1, max_connections=2)
FRAME = pandas.DataFrame({"word": ["hidden"]})
ENDLESS = "SELECT count(*) FROM range(100000000) AS a, range(100000000) AS b WHERE a.range <> b.range + 7"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return duck_shop(tmp_path)


@pytest.fixture
async def warehouse(path: Path) -> AsyncIterator[DuckDbWarehouse]:
    warehouse = DuckDbWarehouse(path, OPTIONS)
    yield warehouse
    await warehouse.close()


async def _all(warehouse: DuckDbWarehouse, sql: str, row_limit: int = 1000, seconds: float = 20) -> list[RowBatch]:
    return [batch async for batch in warehouse.stream(governed(sql, row_limit, seconds), RUN)]


async def _rows(warehouse: DuckDbWarehouse, sql: str, row_limit: int = 1000) -> tuple[Row, ...]:
    return tuple(row for batch in await _all(warehouse, sql, row_limit) for row in batch.rows)


def _names_in(folder: Path) -> set[str]:
    return {item.name for item in folder.iterdir()}


def _fill_nothing(_: DuckDBPyConnection) -> None:
    pass


def _fill(connection: DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE uploaded (item VARCHAR, price DECIMAL(10, 2))")
    connection.executemany("INSERT INTO uploaded VALUES (?, ?)", [("Лом меди", "1.50"), ("Лом свинца", None)])


_ATTACKS = [
    "INSERT INTO hidden.sales (id) VALUES (-1)",
    "INSERT INTO hidden.sales (id) VALUES (-1) RETURNING id",
    "DELETE FROM hidden.sales",
    "CREATE TABLE other (id INTEGER)",
    "CREATE TEMP TABLE other (id INTEGER)",
    "DROP VIEW shop.v_sales",
    "COPY shop.v_sales TO '{folder}/out.csv'",
    "COPY (SELECT 1) TO '{folder}/out.csv'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/out.duckdb'",
    "ATTACH ':memory:' AS other",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET lock_configuration = false",
    "SET enable_external_access = true",
    "RESET memory_limit",
    "PRAGMA database_list",
    "CHECKPOINT",
    "SELECT * FROM read_csv('{folder}/secret.csv')",
    "SELECT * FROM read_text('{folder}/secret.csv')",
    "SELECT * FROM '{folder}/secret.csv'",
    "SELECT * FROM read_duckdb('{folder}/shop_file.duckdb', table_name => 'secret')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM query('SELECT * FROM hidden.sales')",
    "SELECT * FROM hidden.sales",
    "SELECT * FROM shop_file.hidden.sales",
    "SELECT * FROM secret",
    "SELECT (SELECT max(word) FROM secret) FROM shop.v_sales",
    "SELECT * FROM duckdb_views()",
    "SELECT * FROM information_schema.columns",
    "SHOW ALL TABLES",
    "SELECT 1; SELECT 2",
]


@pytest.mark.parametrize("attack", _ATTACKS)
async def test_nothing_is_written_and_nothing_hidden_is_read(
    warehouse: DuckDbWarehouse, tmp_path: Path, attack: str
) -> None:
    (tmp_path / "secret.csv").write_text("word\nhidden\n", encoding="utf-8")
    before = _names_in(tmp_path)
    sql = attack.format(folder=tmp_path)
    with pytest.raises(QueryFailed):
        await _all(warehouse, sql)
    with pytest.raises(QueryFailed):
        await warehouse.estimate(checked(sql))
    assert _names_in(tmp_path) == before
    assert await _rows(warehouse, "SELECT count(*) FROM shop.v_sales") == ((2000,),)


# The engine itself, whatever our reading of the statement lets through.
@pytest.mark.parametrize(
    "attack",
    [
        "INSERT INTO hidden.sales (id) VALUES (-1)",
        "CREATE TABLE other (id INTEGER)",
        "COPY shop.v_sales TO '{folder}/out.csv'",
        "ATTACH '{folder}/out.duckdb'",
        "ATTACH ':memory:' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET lock_configuration = false",
        "SET enable_external_access = true",
        "SET memory_limit = '99GB'",
        "SELECT * FROM read_csv('{folder}/secret.csv')",
        "SELECT * FROM read_text('{folder}/secret.csv')",
        "SELECT * FROM '{folder}/secret.csv'",
        "SELECT * FROM FRAME",
    ],
)
async def test_the_opened_database_is_locked(warehouse: DuckDbWarehouse, tmp_path: Path, attack: str) -> None:
    (tmp_path / "secret.csv").write_text("word\nhidden\n", encoding="utf-8")
    async with warehouse._lookup() as statement:
        with pytest.raises(duckdb.Error):
            await statement.call(lambda: statement.cursor.execute(attack.format(folder=tmp_path)))
    assert not (tmp_path / "out.csv").exists()


async def test_tables_in_memory_are_read_and_nothing_else_is_possible(tmp_path: Path) -> None:
    warehouse = DuckDbWarehouse(_fill)
    assert await _rows(warehouse, "SELECT * FROM uploaded ORDER BY item") == (
        ("Лом меди", Decimal("1.50")),
        ("Лом свинца", None),
    )
    assert await warehouse.members("uploaded", "item", 10) == ("Лом меди", "Лом свинца")
    for attack in (
        "INSERT INTO uploaded VALUES ('x', 1)",
        "DROP TABLE uploaded",
        "SELECT * FROM read_text('/etc/passwd')",
    ):
        with pytest.raises(QueryFailed):
            await _all(warehouse, attack)
    assert await _rows(warehouse, "SELECT count(*) FROM uploaded") == ((2,),)
    await warehouse.close()


async def test_two_warehouses_in_memory_share_nothing() -> None:
    first, second = DuckDbWarehouse(_fill), DuckDbWarehouse(_fill_nothing)
    assert await _rows(first, "SELECT count(*) FROM uploaded") == ((2,),)
    with pytest.raises(QueryFailed):
        await _rows(second, "SELECT count(*) FROM uploaded")
    await first.close()
    await second.close()


async def test_cells_are_plain_values(warehouse: DuckDbWarehouse) -> None:
    batches = await _all(warehouse, "SELECT id, day, month, sold_at, region, amount FROM shop.v_sales WHERE id = 1")
    sold_at = datetime(2026, 1, 2, 23, 30, tzinfo=ZoneInfo("America/Lima"))
    assert batches[0].rows == ((1, date(2026, 1, 2), "2026-01", sold_at, "region 1", Decimal("0.25")),)
    assert str(batches[0].rows[0][3]) == "2026-01-02 23:30:00-05:00"
    assert [kind for _, kind in batches[0].columns] == [
        "INTEGER",
        "DATE",
        "VARCHAR",
        "TIMESTAMP WITH TIME ZONE",
        "VARCHAR",
        "DECIMAL(14,2)",
    ]


async def test_days_are_those_of_the_warehouses_zone(warehouse: DuckDbWarehouse) -> None:
    assert await _rows(warehouse, "SELECT max(sold_at::date) FROM shop.v_sales") == ((date(2026, 4, 10),),)
    assert await warehouse.latest("shop.v_sales", "sold_at") == date(2026, 4, 10)


async def test_an_endless_result_arrives_row_by_row_in_little_memory(warehouse: DuckDbWarehouse) -> None:
    rows = warehouse.stream(governed("SELECT range, repeat('x', 1000) FROM range(100000000)", row_limit=3000), RUN)
    assert sum([len(batch.rows) async for batch in rows]) == 3000


async def test_memory_is_bounded(path: Path) -> None:
    warehouse = DuckDbWarehouse(path, replace(OPTIONS, memory="64MB"))
    with pytest.raises(QueryFailed, match=r"^OutOfMemoryException$"):
        await _all(warehouse, "SELECT list(range || repeat('x', 100)) FROM range(10000000)")
    assert await _rows(warehouse, "SELECT 1") == ((1,),)
    await warehouse.close()


async def test_an_estimate_tells_rows_bytes_and_whole_reads(warehouse: DuckDbWarehouse) -> None:
    estimate = await warehouse.estimate(checked("SELECT region, sum(amount) FROM shop.v_sales GROUP BY region"))
    assert estimate.max_node_rows >= 2000
    assert estimate.root_rows <= 1000
    assert estimate.plan_cost >= 40
    assert estimate.relation_bytes == 2000 * 6 * 8
    assert estimate.full_scans == ("shop_file.hidden.sales",)


async def test_an_estimate_runs_nothing(warehouse: DuckDbWarehouse) -> None:
    estimate = await warehouse.estimate(checked(ENDLESS))
    assert estimate.max_node_rows > 1_000_000


async def test_a_query_past_its_time_ends_while_rows_come_too(warehouse: DuckDbWarehouse) -> None:
    rows = warehouse.stream(governed("SELECT range FROM range(10000000000)", 10**9, 0.2), RUN)
    with pytest.raises(QueryTimeout):
        await _to_the_end(rows)


async def test_a_cancel_between_two_batches_counts(warehouse: DuckDbWarehouse) -> None:
    rows = warehouse.stream(governed("SELECT range FROM range(10000000000)", 10**9), RUN)
    await anext(rows)
    assert await warehouse.cancel(RUN) is True
    with pytest.raises(QueryCancelled):
        await _to_the_end(rows)
    assert await warehouse.cancel(RUN) is False


async def test_a_caller_that_is_cancelled_stops_its_statement(warehouse: DuckDbWarehouse) -> None:
    asking = asyncio.create_task(_all(warehouse, ENDLESS))
    while not warehouse._by_run:  # noqa: ASYNC110 — until the statement runs
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert warehouse._database._in_use == 0
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_the_event_loop_is_never_blocked(warehouse: DuckDbWarehouse) -> None:
    running = asyncio.create_task(_all(warehouse, ENDLESS, seconds=0.5))
    turns = 0
    while not running.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert isinstance(running.exception(), QueryTimeout)
    assert turns > 10


async def test_more_runs_than_connections_wait_and_give_up_in_words(warehouse: DuckDbWarehouse) -> None:
    held = [warehouse.stream(governed("SELECT id FROM shop.v_sales"), RunId(f"held-{n}")) for n in range(2)]
    for rows in held:
        await anext(rows)
    with pytest.raises(WarehouseUnavailable, match="in use"):
        await _rows(warehouse, "SELECT 1")
    for rows in held:
        await rows.aclose()
    assert await _rows(warehouse, "SELECT 1") == ((1,),)


async def test_a_file_that_was_replaced_is_read_anew(warehouse: DuckDbWarehouse, path: Path, tmp_path: Path) -> None:
    assert await warehouse.latest("shop.v_sales", "day") == date(2026, 4, 10)
    newer = tmp_path / "newer.duckdb"
    with duckdb.connect(newer) as connection:
        connection.execute("CREATE SCHEMA shop; CREATE TABLE shop.v_sales AS SELECT date '2026-05-01' AS day")
    newer.replace(path)
    assert await warehouse.latest("shop.v_sales", "day") == date(2026, 5, 1)


async def test_a_file_that_breaks_while_it_is_read_is_an_outage(tmp_path: Path) -> None:
    path = tmp_path / "large.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE SCHEMA shop")
        connection.execute("CREATE TABLE shop.large AS SELECT hash(n) AS a, hash(n + 1) AS b FROM range(3000000) t (n)")
    warehouse = DuckDbWarehouse(path, OPTIONS)
    rows = warehouse.stream(governed("SELECT a, b FROM shop.large", 3_000_000), RUN)
    await anext(rows)
    with path.open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(WarehouseUnavailable):
        await _to_the_end(rows)
    await warehouse.close()


async def test_domains_can_share_a_file_but_not_with_different_zones(warehouse: DuckDbWarehouse, path: Path) -> None:
    same, other = DuckDbWarehouse(path, replace(OPTIONS, schemas=("main",))), DuckDbWarehouse(path, DuckDbOptions())
    assert await _rows(warehouse, "SELECT count(*) FROM shop.v_sales") == ((2000,),)
    assert await _rows(same, "SELECT * FROM secret") == (("hidden",),)
    assert "another time zone" in (await other.health()).detail
    await same.close()
    await other.close()


async def test_a_file_that_is_no_database_is_an_outage(tmp_path: Path) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_text("this is no database " * 500, encoding="utf-8")
    warehouse = DuckDbWarehouse(broken, OPTIONS)
    with pytest.raises(WarehouseUnavailable):
        await _rows(warehouse, "SELECT 1")
    health = await warehouse.health()
    assert (health.ok, health.detail) == (False, "the database does not open: IOException")
    await warehouse.close()


async def test_health_says_that_the_file_is_missing(tmp_path: Path) -> None:
    warehouse = DuckDbWarehouse(tmp_path / "absent.duckdb", OPTIONS)
    health = await warehouse.health()
    assert (health.ok, health.detail) == (False, "the database file cannot be read: No such file or directory")
    await warehouse.close()


async def test_names_are_quoted_whatever_they_hold(tmp_path: Path) -> None:
    def fill(connection: DuckDBPyConnection) -> None:
        connection.execute('CREATE TABLE "odd ""name" AS SELECT unnest([2, 1]) AS "a""b"')

    warehouse = DuckDbWarehouse(fill)
    assert await warehouse.members('odd "name', 'a"b', 10) == ("1", "2")
    await warehouse.close()


async def test_errors_do_not_quote_rows(warehouse: DuckDbWarehouse) -> None:
    with pytest.raises(QueryFailed) as failed:
        await _all(warehouse, "SELECT region::integer FROM shop.v_sales")
    assert failed.value.detail == "ConversionException"
    assert failed.value.__suppress_context__


async def test_closing_leaves_no_thread(path: Path) -> None:
    warehouse = DuckDbWarehouse(path, OPTIONS)
    await _rows(warehouse, "SELECT 1")
    await warehouse.close()
    while any(thread.name.startswith("duckdb") for thread in threading.enumerate()):  # noqa: ASYNC110 — until it ends
        await asyncio.sleep(0.01)


async def _to_the_end(rows: AsyncIterator[RowBatch]) -> None:
    async for _ in rows:
        pass
