"""The three books in a real engine, each behind a function from SQL to its result or to the error it ends in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime

import asyncmy
import duckdb
import psycopg
from asyncmy.errors import MySQLError
from psycopg import sql as pgsql

from adapters.warehouses.mysql.session import settings
from semantic_catalog.model import Dialect
from tests.security.row_rules.books import VARIANTS, Table, Variant, tables
from tests.unit.agent.sql.mariadb import own_mariadb, rows_of

SECONDS = 20.0
Ask = Callable[[str], object]
Books = Mapping[Variant, Ask]


@contextmanager
def books(dialect: Dialect, postgres_url: str) -> Iterator[Books]:
    """A function for each variant of the books. Rows come back sorted, as text; an error as its code."""
    with ExitStack() as stack:
        if dialect == "postgres":
            yield {name: stack.enter_context(_in_postgres(postgres_url, name)) for name in VARIANTS}
        elif dialect == "duckdb":
            yield {name: stack.enter_context(_in_duckdb(name)) for name in VARIANTS}
        else:
            yield {name: stack.enter_context(_in_mariadb(name)) for name in VARIANTS}


@contextmanager
def _in_postgres(url: str, variant: Variant) -> Iterator[Ask]:
    schema = pgsql.Identifier(variant)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(pgsql.SQL("CREATE SCHEMA {0}; SET search_path = {0}").format(schema))
        for table in tables(variant):
            name = pgsql.Identifier(table.name)
            connection.execute(pgsql.SQL("CREATE TABLE {} ({})").format(name, pgsql.SQL(table.columns)))
            _insert(connection, table)
        connection.execute("ANALYZE")
        connection.execute(pgsql.SQL("SET statement_timeout = {}").format(pgsql.Literal(int(SECONDS * 1000))))

        def ask(statement: str) -> object:
            try:
                return _sorted(connection.execute(statement.encode()).fetchall())
            except psycopg.Error as error:
                return error.sqlstate

        yield ask


def _insert(connection: psycopg.Connection, table: Table) -> None:
    places = pgsql.SQL(", ").join([pgsql.Placeholder()] * len(table.rows[0]))
    insert = pgsql.SQL("INSERT INTO {} VALUES ({})").format(pgsql.Identifier(table.name), places)
    with connection.cursor() as cursor:
        cursor.executemany(insert, table.rows)


@contextmanager
def _in_duckdb(variant: Variant) -> Iterator[Ask]:
    with closing(duckdb.connect(config={"threads": 1})) as connection:
        for table in tables(variant):
            connection.execute(f"CREATE TABLE {table.name} ({table.columns})")
            connection.executemany(
                f"INSERT INTO {table.name} VALUES ({', '.join('?' * len(table.rows[0]))})", list(table.rows)
            )

        def ask(statement: str) -> object:
            try:
                return _sorted(connection.execute(statement).fetchall())
            except duckdb.Error as error:
                return type(error).__name__

        yield ask


@contextmanager
def _in_mariadb(variant: Variant) -> Iterator[Ask]:
    with own_mariadb() as (runner, connection):
        runner.run(rows_of(connection, settings("America/Lima", SECONDS, datetime.now(UTC))))
        # Warnings would be errors of the test, such as that of a division by zero.
        runner.run(rows_of(connection, "SET max_error_count = 0"))
        for table in tables(variant):
            runner.run(_made(connection, table))

        def ask(statement: str) -> object:
            try:
                return _sorted(runner.run(rows_of(connection, statement)))
            except MySQLError as error:
                return error.args[0]

        yield ask


async def _made(connection: asyncmy.Connection, table: Table) -> None:
    async with connection.cursor() as cursor:
        await cursor.execute(f"CREATE TABLE {table.name} ({table.columns})")
        places = ", ".join(["%s"] * len(table.rows[0]))
        await cursor.executemany(f"INSERT INTO {table.name} VALUES ({places})", table.rows)
        await cursor.execute(f"ANALYZE TABLE {table.name}")


def _sorted(rows: Sequence[Sequence[object]]) -> list[str]:
    return sorted(map(repr, map(tuple, rows)))
