"""Governed SQL on PostgreSQL: read only, under a statement timeout and a row cap, cancellable."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import date

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.errors import QueryCanceled
from psycopg.rows import TupleRow

from adapters.warehouses.dates import as_day
from adapters.warehouses.postgres.connections import (
    Connection,
    Pool,
    WarehouseOptions,
    connect_arguments,
    create_pool,
    read_only,
)
from adapters.warehouses.postgres.errors import our_errors
from adapters.warehouses.postgres.patience import answering_within
from adapters.warehouses.postgres.plan import RELATION_BYTES, Plan, read_plan
from adapters.warehouses.postgres.streaming import batches_of
from adapters.warehouses.running import RunningStatements
from adapters.warehouses.size_cap import SizeCap
from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from semantic_catalog.model import Dialect


class PostgresWarehouse:
    """The `Warehouse` port on PostgreSQL 13 or newer.

    Nothing connects before the first call, and an engine that was away is found again by the next one. A cell is
    str, int, float, Decimal, bool, date, datetime (aware for timestamptz) or None; other types come as text.
    """

    def __init__(self, url: str, options: WarehouseOptions | None = None) -> None:
        self._url = url
        self._options = options or WarehouseOptions()
        self._pool: Pool = create_pool(url, self._options)
        self._running = RunningStatements(_stop, Connection.close, QueryCanceled)

    @property
    def dialect(self) -> Dialect:
        """The dialect SQL is rendered in for this engine."""
        return "postgres"

    async def close(self) -> None:
        """Give up all connections."""
        await self._pool.close()

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """What the planner expects; runs nothing. `full_scans` names tables as the engine does (`schema.table`)."""
        async with self._lookup() as connection:
            plan = await _plan(connection, query.sql)
            relation_bytes = await _bytes(connection, plan)
        return CostEstimate(
            plan_cost=plan.cost,
            root_rows=plan.root_rows,
            max_node_rows=plan.max_node_rows,
            relation_bytes=relation_bytes,
            full_scans=tuple(".".join(relation) for relation in plan.full_scans),
        )

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        """The rows, in batches, at most the query's row limit; at least one batch (maybe empty) names the columns.

        Close the iterator when leaving it early: that stops the statement. Raises QueryCancelled after `cancel`, and
        ResultTooLarge once the rows are more than the query's bytes.
        """
        options, seconds, cap = self._options, query.timeout_seconds, SizeCap(query.byte_limit)
        with our_errors(seconds):
            async with (
                read_only(self._pool, options, seconds) as connection,
                self._running.registered(run, connection),
                aclosing(batches_of(connection, query.query, options.batch_rows, seconds + options.grace)) as batches,
            ):
                async for batch in batches:
                    yield cap.take(batch)

    async def cancel(self, run: RunId) -> bool:
        """Stop the run's statement; False when none is running in this process."""
        with our_errors(self._options.grace):
            return await self._running.cancel(run, self._options.grace)

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """Distinct non-null values of a governed column in rows that `where` holds for, as text, sorted."""
        rule = f" AND ({where.replace('%', '%%')})" if where else ""
        query = sql.SQL(
            "SELECT DISTINCT {column}::text FROM {source} WHERE {column} IS NOT NULL{rule} ORDER BY 1 LIMIT %s"
        ).format(
            column=sql.Identifier(column),
            source=_identifier(source),
            rule=sql.SQL(rule),
        )
        return tuple(str(value) for (value,) in await self._look_up(query, (limit,)))

    async def latest(self, source: str, column: str) -> date | None:
        """The last day of data of a governed source (first of the month for month columns); None when empty.

        An instant is read in the warehouse's zone.
        """
        query = sql.SQL("SELECT max({}) FROM {}").format(sql.Identifier(column), _identifier(source))
        ((value,),) = await self._look_up(query, ())
        return as_day(value)

    async def health(self) -> Health:
        """Whether the engine accepts a connection now and answers on it."""
        try:
            async with asyncio.timeout(self._options.connect_timeout):
                arguments = connect_arguments(self._options)
                async with await AsyncConnection.connect(self._url, **arguments) as connection:
                    await connection.execute("SELECT 1")
        except TimeoutError:
            return Health(ok=False, detail="no answer")
        except psycopg.OperationalError as error:
            # The client library's own words (host, role, reason); it never writes a password.
            return Health(ok=False, detail=str(error).strip().partition("\n")[0])
        return Health(ok=True)

    async def _look_up(self, query: sql.Composed, params: Sequence[object]) -> list[TupleRow]:
        async with self._lookup() as connection:
            return await (await connection.execute(query, params)).fetchall()

    @asynccontextmanager
    async def _lookup(self) -> AsyncIterator[Connection]:
        options, seconds = self._options, self._options.lookup_timeout
        with our_errors(seconds):
            async with read_only(self._pool, options, seconds) as connection:
                with answering_within(connection, seconds + options.grace):
                    yield connection


async def _stop(connection: Connection, seconds: float) -> None:
    await connection.cancel_safe(timeout=seconds)


async def _plan(connection: Connection, governed_sql: str) -> Plan:
    # A binary cursor makes the driver send one statement only, whatever the text holds.
    async with connection.cursor(binary=True) as cursor:
        await cursor.execute(b"EXPLAIN (FORMAT JSON, VERBOSE) " + governed_sql.encode())
        ((document,),) = await cursor.fetchall()
    return read_plan(document)


async def _bytes(connection: Connection, plan: Plan) -> int:
    schemas, tables = [schema for schema, _ in plan.relations], [table for _, table in plan.relations]
    ((relation_bytes,),) = await (await connection.execute(RELATION_BYTES, (schemas, tables))).fetchall()
    return int(relation_bytes)


def _identifier(source: str) -> sql.Identifier:
    return sql.Identifier(*source.split("."))
