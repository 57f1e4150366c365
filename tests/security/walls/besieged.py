"""A shop whose governed views the agent's account may read, in front of tables that it may not."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import duckdb
import psycopg
from psycopg import sql

from adapters.warehouses.duckdb.options import DuckDbOptions
from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse
from adapters.warehouses.mysql.warehouse import MySqlWarehouse
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from agent.ports import Warehouse
from bot.demo.databases import READER, admit_reader
from bot.embedded import EmbeddedServices
from tests.contract.shop_mysql import MariaShop, maria_shop, root

# In every cell that only hidden tables and columns hold.
HIDDEN = "HIDDEN"
GOVERNED = ("orders", "customers", "products")
NAMES = (*GOVERNED, "users", "employees", "api_keys", "orders_all")
_BEHIND = {
    "orders": "order_id int, order_date date, customer_id int, product_id int, region varchar(20), "
    "channel varchar(20), status varchar(20), quantity int, net_amount decimal(12,2), discount decimal(12,2)",
    "customers": "customer_id int, name varchar(20), region varchar(20), segment varchar(20), signup_date date, "
    "email varchar(40), phone varchar(40)",
    "products": "product_id int, name varchar(20), category varchar(20), list_price decimal(12,2), "
    "unit_cost varchar(40)",
}
_OPEN = {
    "orders": "order_id, order_date, customer_id, product_id, region, channel, status, quantity, net_amount, discount",
    "customers": "customer_id, name, region, segment, signup_date",
    "products": "product_id, name, category, list_price",
}
_ROWS = {
    "orders": "(1, '2025-01-10', 1, 1, 'EU', 'web', 'paid', 2, 10, 0), "
    "(2, '2025-02-10', 2, 1, 'US', 'web', 'paid', 1, 5, 0)",
    "customers": f"(1, 'Ana', 'EU', 'A', '2024-01-01', '{HIDDEN}-mail', '{HIDDEN}-phone'), "
    f"(2, 'Bo', 'US', 'B', '2024-01-01', '{HIDDEN}-mail', '{HIDDEN}-phone')",
    "products": f"(1, 'Pen', 'x', 3, '{HIDDEN}-cost')",
}
_SECRETS = {
    "users": ("id int, username varchar(40), password_hash varchar(40)", f"(1, '{HIDDEN}-name', '{HIDDEN}-hash')"),
    "employees": ("emp_id int, name varchar(40), salary varchar(40)", f"(1, '{HIDDEN}-name', '{HIDDEN}-salary')"),
    "api_keys": ("id int, api_key varchar(40)", f"(1, '{HIDDEN}-key')"),
    "orders_all": ("order_id int, note varchar(40)", f"(1, '{HIDDEN}-note')"),
}


@dataclass(frozen=True, kw_only=True)
class Besieged:
    """The warehouse behind the agent's account, and what its owner finds in it afterwards."""

    warehouse: Warehouse
    state: Callable[[], Awaitable[object]]


@asynccontextmanager
async def in_postgres(services: EmbeddedServices, url: str) -> AsyncIterator[Besieged]:
    """In an empty database of the tests' PostgreSQL. `url` is the superuser's."""
    database = url.rpartition("@/")[2].partition("?")[0]
    admit_reader(services, database, "public")
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as owner:
        for statement in _postgres_tables():
            await owner.execute(statement)
        warehouse = PostgresWarehouse(services.database_url(database, READER))

        async def state() -> object:
            return [await (await owner.execute(question)).fetchall() for question in _questions()]

        yield Besieged(warehouse=warehouse, state=state)
        await warehouse.close()


def _postgres_tables() -> list[sql.SQL]:
    texts = ["CREATE SCHEMA behind", "CREATE SCHEMA hr", "CREATE SEQUENCE s"]
    for name, columns in _BEHIND.items():
        texts += [f"CREATE TABLE behind.{name} ({columns})", f"INSERT INTO behind.{name} VALUES {_ROWS[name]}"]
        texts += [f"CREATE VIEW public.{name} AS SELECT {_OPEN[name]} FROM behind.{name}"]
        texts += [f"GRANT SELECT ON public.{name} TO {READER}"]
    for name, (columns, rows) in _SECRETS.items():
        texts += [f"CREATE TABLE public.{name} ({columns})", f"INSERT INTO public.{name} VALUES {rows}"]
    texts += ["CREATE TABLE hr.salaries AS SELECT * FROM public.employees", f"GRANT USAGE ON SCHEMA public TO {READER}"]
    return [sql.SQL(text) for text in texts]


def _questions() -> list[sql.SQL]:
    """Rows, sequence, objects, functions, large objects and the account's rights, as a superuser sees them."""
    tables = [*(f"behind.{name}" for name in _BEHIND), *(f"public.{name}" for name in _SECRETS), "hr.salaries"]
    texts = [f"SELECT t::text FROM {name} AS t ORDER BY 1" for name in tables]
    texts += ["SELECT last_value, is_called FROM s"]
    texts += ["SELECT oid::regclass::text, relacl::text FROM pg_class WHERE oid >= 16384 ORDER BY 1"]
    texts += ["SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp' ORDER BY 1"]
    texts += ["SELECT COUNT(*) FROM pg_proc", "SELECT COUNT(*) FROM pg_largeobject_metadata"]
    texts += [f"SELECT * FROM pg_roles WHERE rolname = '{READER}'", "SELECT extname FROM pg_extension ORDER BY 1"]
    return [sql.SQL(text) for text in texts]


@asynccontextmanager
async def in_duckdb(folder: Path) -> AsyncIterator[Besieged]:
    """In a file of its own: views in the schema that may be read, everything else in another."""
    path = folder / "besieged.duckdb"
    await asyncio.to_thread(_fill_duckdb, path)
    warehouse = DuckDbWarehouse(path, DuckDbOptions(schemas=("main",)))

    async def state() -> object:
        return await asyncio.to_thread(_bytes_and_files, path)

    yield Besieged(warehouse=warehouse, state=state)
    await warehouse.close()


def _fill_duckdb(path: Path) -> None:
    with duckdb.connect(path) as connection:
        connection.execute("CREATE SCHEMA behind; CREATE SCHEMA hr; CREATE SEQUENCE behind.s")
        for name, columns in _BEHIND.items():
            connection.execute(f"CREATE TABLE behind.{name} ({columns})")
            connection.execute(f"INSERT INTO behind.{name} VALUES {_ROWS[name]}")
            connection.execute(f"CREATE VIEW main.{name} AS SELECT {_OPEN[name]} FROM behind.{name}")
        for name, (columns, rows) in _SECRETS.items():
            connection.execute(f"CREATE TABLE behind.{name} ({columns})")
            connection.execute(f"INSERT INTO behind.{name} VALUES {rows}")
        connection.execute("CREATE TABLE hr.salaries AS SELECT * FROM behind.employees")


def _bytes_and_files(path: Path) -> object:
    """The file's own content, and the names of what stands beside it and in the working directory."""
    return sha256(path.read_bytes()).hexdigest(), *(sorted(p.name for p in f.iterdir()) for f in (path.parent, Path()))


@asynccontextmanager
async def in_mariadb() -> AsyncIterator[Besieged]:
    """In a database of its own in the tests' MariaDB."""
    async with maria_shop() as shop, root(shop.socket) as run:
        behind = f"{shop.database}_b{uuid4().hex[:6]}"
        reader = f"reader_{shop.database.removeprefix('test_')}@localhost"
        for statement in _mariadb_tables(shop, behind, reader):
            await run(statement)
        warehouse = MySqlWarehouse(shop.url("reader"))

        async def state() -> object:
            return [await run(question) for question in _mariadb_questions(shop, behind, reader)]

        yield Besieged(warehouse=warehouse, state=state)
        await warehouse.close()
        await run(f"DROP DATABASE {behind}")


def _mariadb_tables(shop: MariaShop, behind: str, reader: str) -> list[str]:
    texts = [f"CREATE DATABASE {behind}"]
    for name, columns in _BEHIND.items():
        texts += [f"CREATE TABLE {behind}.{name} ({columns})", f"INSERT INTO {behind}.{name} VALUES {_ROWS[name]}"]
        texts += [f"CREATE VIEW {shop.database}.{name} AS SELECT {_OPEN[name]} FROM {behind}.{name}"]
        texts += [f"GRANT SELECT ON {shop.database}.{name} TO {reader}"]
    for name, (columns, rows) in _SECRETS.items():
        texts += [f"CREATE TABLE {shop.database}.{name} ({columns})"]
        texts += [f"INSERT INTO {shop.database}.{name} VALUES {rows}"]
    return texts


def _mariadb_questions(shop: MariaShop, behind: str, reader: str) -> list[str]:
    tables = [*(f"{behind}.{name}" for name in _BEHIND), *(f"{shop.database}.{name}" for name in _SECRETS)]
    texts = [f"CHECKSUM TABLE {name}" for name in tables]
    texts += [f"SELECT table_name FROM information_schema.tables WHERE table_schema LIKE '{shop.database}%' ORDER BY 1"]
    texts += [f"SHOW GRANTS FOR {reader}", "SELECT @@global.local_infile, @@global.general_log, @@global.sql_mode"]
    texts += ["SELECT COUNT(*) FROM mysql.proc", "SELECT COUNT(*) FROM mysql.func"]
    return texts
