"""Fills a database with the payments domain."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import sql

from bot.demo.parameters import DemoParameters
from bot.demo.payments import members
from bot.demo.payments.rows import merchant_rows, payment_rows

_SCHEMAS = ("semantic", "analytics", "operational")
_OWN_TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = ANY(%s) ORDER BY 1, 2"


def load(owner_url: str, parameters: DemoParameters) -> None:
    """Replace the three schemas by freshly generated data, all or nothing; readers see the old data until the end.

    The role `agent_reader` must exist. Raises `psycopg.Error`.
    """
    with psycopg.connect(owner_url) as connection:
        for schema in _SCHEMAS:
            connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema)))
        _run(connection, "schema.sql")
        _copy(connection, "merchants", merchant_rows(parameters))
        for table, rows in payment_rows(parameters):
            _copy(connection, table, rows)
        _name_codes(connection)
        _run(connection, "prepare.sql")
        _run(connection, "views.sql")
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for schema, table in connection.execute(_OWN_TABLES, (list(_SCHEMAS),)).fetchall():
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(schema, table)))


def _run(connection: psycopg.Connection[Any], file: str) -> None:
    connection.execute(files("bot.demo.payments").joinpath(file).read_bytes())


def _copy(connection: psycopg.Connection[Any], table: str, rows: bytes) -> None:
    statement = sql.SQL("COPY {} FROM STDIN WITH (FREEZE)").format(sql.Identifier("operational", table))
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(rows)


def _name_codes(connection: psycopg.Connection[Any]) -> None:
    _insert_pairs(connection, "mccs", members.MCCS, members.MCC_DESCRIPTIONS)
    _insert_pairs(connection, "response_codes", members.RESPONSE_CODES, members.RESPONSE_REASONS)
    _insert_pairs(connection, "chargeback_reasons", members.CHARGEBACK_CODES, members.CHARGEBACK_REASONS)


def _insert_pairs(connection: psycopg.Connection[Any], table: str, codes: Sequence[str], words: Sequence[str]) -> None:
    statement = sql.SQL("INSERT INTO {} VALUES (%s, %s)").format(sql.Identifier("analytics", table))
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(codes, words, strict=True)))
