"""Rows of one statement as they arrive, in batches, with a hard stop."""

import asyncio
from collections.abc import AsyncGenerator

from asyncmy import Connection
from asyncmy.cursors import Cursor, SSCursor
from asyncmy.errors import MySQLError

from adapters.warehouses.mysql.cells import Rows, cells_of, columns_of
from adapters.warehouses.mysql.connections import Connections, MySqlOptions, discard
from agent.errors import QueryFailed
from agent.ports import RowBatch
from agent.values.governance import CheckedQuery


async def batches_of(
    connections: Connections, connection: Connection, query: CheckedQuery, options: MySqlOptions, patience: float
) -> AsyncGenerator[RowBatch, None]:
    """The statement's rows, at most `query.row_limit`; one empty batch when there are none.

    Raises TimeoutError when nothing comes for `patience` seconds. A statement that is left before its end is stopped.
    """
    cursor, ended = connection.cursor(SSCursor), False
    try:
        async with asyncio.timeout(patience):
            await parse(connection, query.sql)
            await cursor.execute(query.sql)
        if cursor.description is None:
            raise QueryFailed("no result set")
        columns, left, first = columns_of(cursor.description), query.row_limit, True
        while left and not ended:
            size = min(options.batch_rows, left)
            rows = await _take(cursor, size, patience)
            if rows or first:
                yield RowBatch(columns=columns, rows=cells_of(rows, cursor.description, options.timezone))
            left, ended, first = left - len(rows), len(rows) < size, False
        # A statement that had exactly as many rows as wanted ends here and leaves its connection usable.
        ended = ended or not await _take(cursor, 1, patience)
    except MySQLError:
        # The engine itself has ended the statement, or the connection is lost.
        ended = True
        raise
    finally:
        if not ended:
            await discard(connections, connection, options.grace)


async def parse(connection: Connection, statement: str) -> None:
    """Have the engine parse the statement and look up what it names, without running it.

    The driver lets a text hold several statements; preparing one refuses that, as it refuses what is no statement.
    """
    prepared = await connection.prepare(statement)  # type: ignore[no-untyped-call]  # the driver leaves it untyped
    await prepared.close()


async def _take(cursor: Cursor, size: int, patience: float) -> Rows:
    async with asyncio.timeout(patience):
        rows: Rows = await cursor.fetchmany(size)
        return rows
