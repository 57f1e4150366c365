"""Every engine as the warehouse contract meets it: with a door that can be shut, and its own words for the same SQL."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from adapters.warehouses.duckdb.options import DuckDbOptions
from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse
from adapters.warehouses.mysql.connections import MySqlOptions
from adapters.warehouses.mysql.warehouse import MySqlWarehouse
from adapters.warehouses.postgres.connections import WarehouseOptions
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from agent.ports import Warehouse
from agent.values.governance import GovernedQuery
from agent.values.identity import RunId
from semantic_catalog.model import Dialect
from tests.contract.shop import shop, socket_of
from tests.contract.shop_duckdb import duck_shop
from tests.contract.shop_mysql import HAS_SERVER, maria_shop
from tests.fakes.relay import open_relay
from tests.fakes.warehouse import ScriptedResult, ScriptedWarehouse

REGION_RULE = "region LIKE '%1' OR region = 'region 2'"
ROWS = tuple((n, f"row {n}") for n in range(1, 6))


@dataclass(frozen=True, kw_only=True)
class Words:
    """How an engine says what the contract asks: SQL, its column types, and the error of a broken statement."""

    dialect: Dialect
    numbers: str
    nothing: str = "SELECT id AS number, region AS label FROM shop.v_nothing"
    endless: str
    broken: str = "SELECT nowhere FROM shop.v_sales"
    failure: str
    types: tuple[str, str]
    shop: str = "shop."

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The columns of `numbers` and `nothing`."""
        return (("number", self.types[0]), ("label", self.types[1]))


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A warehouse with the shop in it, and the way to take its engine away and bring it back."""

    warehouse: Warehouse
    words: Words
    take_away: Callable[[], Awaitable[None]]
    bring_back: Callable[[], Awaitable[None]]


POSTGRES = Words(
    dialect="postgres",
    numbers="SELECT n AS number, 'row ' || n AS label FROM generate_series(1, 5) AS n ORDER BY n",
    endless="SELECT pg_sleep(3600)",
    broken="SELECT 1 / 0",
    failure="22012 DivisionByZero",
    types=("int4", "text"),
)
MYSQL = Words(
    dialect="mysql",
    numbers="WITH RECURSIVE n AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM n WHERE n < 5)"
    " SELECT n AS number, CONCAT('row ', n) AS label FROM n ORDER BY n",
    nothing="SELECT CAST(1 AS INT) AS number, region AS label FROM v_nothing",
    endless="SELECT SLEEP(3600)",
    broken="SELECT nowhere FROM v_sales",
    failure="1054 42S22",
    types=("int", "text"),
    shop="",
)
DUCKDB = Words(
    dialect="duckdb",
    numbers="SELECT n::integer AS number, 'row ' || n AS label FROM range(1, 6) AS numbers (n) ORDER BY n",
    endless="SELECT count(*) FROM range(100000000) AS a, range(100000000) AS b WHERE a.range <> b.range + 7",
    failure="BinderException",
    types=("INTEGER", "VARCHAR"),
)


@asynccontextmanager
async def _postgres(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    owner_url: str = request.getfixturevalue("empty_database")
    with shop(owner_url) as reader_url:
        async with open_relay(socket_of(reader_url)) as relay:
            url = make_conninfo(reader_url, host="127.0.0.1", port=relay.port)
            warehouse = PostgresWarehouse(url, WarehouseOptions(acquire_timeout=1, batch_rows=2))
            yield Subject(warehouse=warehouse, words=POSTGRES, take_away=relay.shut, bring_back=relay.open)
            await warehouse.close()


@asynccontextmanager
async def _mysql(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    request.getfixturevalue("services")
    async with maria_shop() as made, open_relay(made.socket) as relay:
        url = made.url("reader", "127.0.0.1", relay.port)
        warehouse = MySqlWarehouse(url, MySqlOptions(acquire_timeout=1, batch_rows=2))
        yield Subject(warehouse=warehouse, words=MYSQL, take_away=relay.shut, bring_back=relay.open)
        await warehouse.close()


@asynccontextmanager
async def _duckdb(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    folder: Path = request.getfixturevalue("tmp_path")
    path = await asyncio.to_thread(duck_shop, folder)
    away = path.with_suffix(".away")
    warehouse = DuckDbWarehouse(path, DuckDbOptions(schemas=("shop",), batch_rows=2))

    async def move(source: Path, target: Path) -> None:
        await asyncio.to_thread(source.rename, target)

    yield Subject(
        warehouse=warehouse,
        words=DUCKDB,
        take_away=lambda: move(path, away),
        bring_back=lambda: move(away, path),
    )
    await warehouse.close()


@asynccontextmanager
async def _scripted(_: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    class Endless(ScriptedWarehouse):
        async def _pass_gate(self, query: GovernedQuery, run: RunId) -> None:
            if query.query.sql == POSTGRES.endless:
                self.open_gate.clear()
                await super()._pass_gate(query, run)

    warehouse = Endless(
        results={
            POSTGRES.numbers: ScriptedResult(columns=POSTGRES.columns, rows=ROWS),
            POSTGRES.nothing: ScriptedResult(columns=POSTGRES.columns),
            POSTGRES.broken: ScriptedResult(fails=POSTGRES.failure),
        },
        values={("shop.v_sales", "region"): ("region 2", "region 0", "region 1", "region 0")},
        values_where={("shop.v_sales", "region", REGION_RULE): ("region 2", "region 1")},
        newest={("shop.v_sales", "day"): date(2026, 4, 10), ("shop.v_sales", "month"): date(2026, 4, 1)},
    )

    async def move(away: bool) -> None:
        warehouse.away = away

    yield Subject(warehouse=warehouse, words=POSTGRES, take_away=lambda: move(True), bring_back=lambda: move(False))


Opening = Callable[[pytest.FixtureRequest], AbstractAsyncContextManager[Subject]]

# MySQL's suite runs on the MariaDB of the machine, where it has one.
SUBJECTS: dict[str, Opening] = {
    "postgres": _postgres,
    **({"mysql": _mysql} if HAS_SERVER else {}),
    "duckdb": _duckdb,
    "scripted": _scripted,
}
