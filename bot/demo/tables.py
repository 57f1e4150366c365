"""Rows of the demo domains as plain values, and how they get into PostgreSQL."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import psycopg
from psycopg import sql

Cell = str | int | Decimal | None
Row = tuple[Cell, ...]


def scaled(number: int, digits: int) -> Decimal:
    """A whole number of smallest units as an exact decimal with that many digits."""
    return Decimal(number).scaleb(-digits)


def copy_rows(connection: psycopg.Connection[Any], table: sql.Identifier, rows: Iterable[Row]) -> None:
    """Append rows to a table, in the order of its columns. Raises `psycopg.Error`."""
    statement = sql.SQL("COPY {} FROM STDIN").format(table)
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def analyse(owner_url: str, tables: Iterable[sql.Identifier]) -> None:
    """Let the planner know the rows of freshly filled tables. Raises `psycopg.Error`."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for table in tables:
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(table))
