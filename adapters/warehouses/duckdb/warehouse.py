"""Governed SQL on DuckDB: read only, without files or network, under a time limit and a row cap, cancellable."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection

from adapters.warehouses.dates import as_day
from adapters.warehouses.duckdb.cells import cells_of, columns_of
from adapters.warehouses.duckdb.database import Database, Fill
from adapters.warehouses.duckdb.errors import our_errors
from adapters.warehouses.duckdb.options import DuckDbOptions
from adapters.warehouses.duckdb.plan import Plan, read_plan
from adapters.warehouses.duckdb.reach import refuse_beyond
from adapters.warehouses.duckdb.statement import Statement
from adapters.warehouses.size_cap import SizeCap
from agent.errors import QueryFailed, QueryTimeout, WarehouseUnavailable
from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from semantic_catalog.model import Dialect

# PostgreSQL's cost of handling one row, so that the caps mean about the same here.
_ROW_COST = 0.01
# Bytes of a value in a column held in memory.
_VALUE_BYTES = 8

_Rows = list[tuple[Any, ...]]


class DuckDbWarehouse:
    """The `Warehouse` port on DuckDB 1.4 or newer, in this process.

    Nothing is opened before the first call, and a file that was away or has been replaced is found by the next one. A
    statement is one SELECT over the schemas of the options; it can write nothing and reach no file. A cell is str, int,
    float, Decimal, bool, date, datetime (aware for TIMESTAMP WITH TIME ZONE) or None; other types come as text.
    """

    def __init__(self, content: Path | Fill, options: DuckDbOptions | None = None) -> None:
        """`content` is a database file, or fills an empty database in memory, which happens once and in a thread."""
        self._options = options or DuckDbOptions()
        self._database = Database(content, self._options)
        self._threads = ThreadPoolExecutor(self._options.max_connections, thread_name_prefix="duckdb")
        self._free = asyncio.Semaphore(self._options.max_connections)
        self._by_run: dict[RunId, Statement] = {}

    @property
    def dialect(self) -> Dialect:
        """The dialect SQL is rendered in for this engine."""
        return "duckdb"

    async def close(self) -> None:
        """Let go of the file and the threads."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self._database.close)
        self._threads.shutdown(wait=False)

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """What the planner expects; runs nothing. `plan_cost` counts the rows of every step and of every table read.

        `full_scans` names tables as the engine does (`database.schema.table`).
        """
        async with self._lookup() as statement:
            plan, rows, size = await statement.call(partial(self._planned, statement.cursor, query.sql))
        return CostEstimate(
            plan_cost=_ROW_COST * (plan.passed_rows + rows),
            root_rows=min(plan.root_rows, query.row_limit),
            max_node_rows=plan.max_node_rows,
            relation_bytes=size,
            full_scans=plan.full_scans,
        )

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        """The rows, in batches, at most the query's row limit; at least one batch (maybe empty) names the columns.

        Close the iterator when leaving it early: that stops the statement. Raises QueryCancelled after `cancel`, and
        ResultTooLarge once the rows are more than the query's bytes.
        """
        left, first, cap = query.query.row_limit, True, SizeCap(query.byte_limit)
        async with self._statement(query.timeout_seconds) as statement:
            self._by_run[run] = statement
            try:
                await statement.call(partial(self._start, statement.cursor, query.query.sql))
                columns = columns_of(statement.cursor.description or ())
                while left:
                    size = min(self._options.batch_rows, left)
                    rows = await statement.call(partial(statement.cursor.fetchmany, size))
                    if rows or first:
                        yield cap.take(RowBatch(columns=columns, rows=cells_of(rows)))
                    left, first = left - len(rows) if len(rows) == size else 0, False
            finally:
                self._forget(run, statement)

    async def cancel(self, run: RunId) -> bool:
        """Stop the run's statement; False when none is running in this process."""
        statement = self._by_run.get(run)
        if statement is None:
            return False
        statement.stop("cancel")
        return True

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """Distinct non-null values of a governed column in rows that `where` holds for, as text, sorted."""
        name = _quoted(column)
        statement = f"SELECT DISTINCT CAST({name} AS VARCHAR) FROM {_quoted(source)} WHERE {name} IS NOT NULL"
        statement += f" AND ({where})" if where else ""
        return tuple(str(value) for (value,) in await self._look_up(f"{statement} ORDER BY 1 LIMIT {limit:d}"))

    async def latest(self, source: str, column: str) -> date | None:
        """The last day of data of a governed source (first of the month for month columns); None when empty.

        An instant is read in the warehouse's zone.
        """
        ((value,),) = await self._look_up(f"SELECT max({_quoted(column)}) FROM {_quoted(source)}")
        return as_day(value)

    async def health(self) -> Health:
        """Whether the database can be opened now and answers."""
        try:
            await self._look_up("SELECT 1")
        except (WarehouseUnavailable, QueryFailed) as error:
            return Health(ok=False, detail=error.detail)
        except QueryTimeout:
            return Health(ok=False, detail="no answer")
        return Health(ok=True)

    def _start(self, cursor: DuckDBPyConnection, governed_sql: str) -> None:
        refuse_beyond(cursor, governed_sql, self._database.relations(cursor))
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        cursor.execute(governed_sql)

    def _planned(self, cursor: DuckDBPyConnection, governed_sql: str) -> tuple[Plan, int, int]:
        refuse_beyond(cursor, governed_sql, self._database.relations(cursor))
        ((_, document),) = cursor.execute(f"EXPLAIN (FORMAT JSON) {governed_sql}").fetchall()
        plan = read_plan(json.loads(document))
        return plan, *_sizes(cursor, plan.scans)

    def _forget(self, run: RunId, statement: Statement) -> None:
        if self._by_run.get(run) is statement:
            del self._by_run[run]

    async def _look_up(self, query: str) -> _Rows:
        async with self._lookup() as statement:
            return await statement.call(lambda: statement.cursor.execute(query).fetchall())

    def _lookup(self) -> AbstractAsyncContextManager[Statement]:
        return self._statement(self._options.lookup_timeout)

    @asynccontextmanager
    async def _statement(self, seconds: float) -> AsyncIterator[Statement]:
        """A statement with `seconds` to live, when one of the connections is free."""
        with our_errors():
            async with asyncio.timeout(self._options.acquire_timeout):
                await self._free.acquire()
            try:
                async with self._cursor() as cursor:
                    statement = Statement(cursor, self._threads, seconds)
                    async with statement.limited():
                        yield statement
            finally:
                self._free.release()

    @asynccontextmanager
    async def _cursor(self) -> AsyncIterator[DuckDBPyConnection]:
        """A cursor that is given back whatever happens, also to a caller that is cancelled while it waits for one."""
        run = asyncio.get_running_loop().run_in_executor
        job = run(self._threads, self._database.borrow)
        try:
            yield await asyncio.shield(job)
        finally:
            await asyncio.wait({job})
            if job.exception() is None:
                await asyncio.shield(run(self._threads, self._database.give_back, job.result()))


def _sizes(cursor: DuckDBPyConnection, tables: tuple[str, ...]) -> tuple[int, int]:
    """Rows and bytes of the tables, as the engine counts the first and holds the second in memory."""
    ((rows, values),) = cursor.execute(
        "SELECT coalesce(sum(estimated_size), 0), coalesce(sum(estimated_size * column_count), 0) FROM duckdb_tables()"
        " WHERE list_contains(?, concat_ws('.', database_name, schema_name, table_name))",
        [list(tables)],
    ).fetchall()
    return int(rows), int(values) * _VALUE_BYTES


def _quoted(name: str) -> str:
    return ".".join('"{}"'.format(part.replace('"', '""')) for part in name.split("."))
