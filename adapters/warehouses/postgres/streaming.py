"""Rows of one statement as they arrive, in batches, with a hard stop."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import cast

from psycopg import AsyncCursor, Column
from psycopg.postgres import types
from psycopg.rows import TupleRow

from adapters.warehouses.postgres.connections import Connection
from adapters.warehouses.postgres.patience import answering_within
from agent.ports import RowBatch
from agent.values.governance import CheckedQuery


async def batches_of(
    connection: Connection, query: CheckedQuery, batch_rows: int, patience: float
) -> AsyncGenerator[RowBatch, None]:
    """The statement's rows, at most `query.row_limit`; one empty batch when there are none.

    Raises TimeoutError when nothing comes for `patience` seconds. A server-side cursor would forbid parallel plans and
    let the statement timeout start anew at every fetch, so rows are taken from the wire in chunks instead.
    """
    statement = query.sql.encode()
    async with connection.cursor() as cursor, aclosing(_rows(cursor, statement, batch_rows)) as rows:
        left, batch = query.row_limit, await _take(connection, rows, min(batch_rows, query.row_limit), patience)
        if not batch:
            yield RowBatch(columns=await _columns_of_nothing(connection, statement), rows=())
        while batch and left:
            yield RowBatch(columns=_columns(cursor.description or ()), rows=batch)
            left -= len(batch)
            # Past the limit one row is asked for and dropped: a finished statement ends, another is stopped on close.
            batch = await _take(connection, rows, max(1, min(batch_rows, left)), patience)


def _rows(cursor: AsyncCursor[TupleRow], statement: bytes, size: int) -> AsyncGenerator[TupleRow, None]:
    # The driver declares less than it returns.
    return cast("AsyncGenerator[TupleRow, None]", cursor.stream(statement, size=size))


async def _take(
    connection: Connection, rows: AsyncIterator[TupleRow], size: int, patience: float
) -> tuple[TupleRow, ...]:
    batch: list[TupleRow] = []
    with answering_within(connection, patience):
        async for row in rows:
            batch.append(row)
            if len(batch) == size:
                break
    return tuple(batch)


async def _columns_of_nothing(connection: Connection, statement: bytes) -> tuple[tuple[str, str], ...]:
    # Declaring a cursor plans and describes the statement without running it.
    async with connection.cursor(name="shape") as cursor:
        await cursor.execute(statement)
        return _columns(cursor.description or ())


def _columns(description: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    return tuple((column.name, _type_name(column.type_code)) for column in description)


def _type_name(oid: int) -> str:
    """The engine's short type name (`int8`, `numeric`, `timestamptz`); `text` for types made by the owner."""
    info = types.get(oid)
    if info is None:
        return "text"
    return f"{info.name}[]" if oid == info.array_oid else info.name
