"""Governed SQL on MySQL and MariaDB: read only, under a statement timeout and a row cap, cancellable."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from datetime import date

from asyncmy import Connection
from asyncmy.errors import MySQLError

from adapters.warehouses.dates import as_day
from adapters.warehouses.mysql.connections import Connections, MySqlOptions, kill, rows_of
from adapters.warehouses.mysql.errors import our_errors
from adapters.warehouses.mysql.names import quoted
from adapters.warehouses.mysql.plan import read_plan
from adapters.warehouses.mysql.sizes import relation_bytes
from adapters.warehouses.mysql.streaming import batches_of, parse
from adapters.warehouses.running import RunningStatements
from adapters.warehouses.size_cap import SizeCap
from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from semantic_catalog.model import Dialect


class MySqlWarehouse:
    """The `Warehouse` port on MySQL 8 or newer and MariaDB 10.6 or newer.

    Nothing connects before the first call, and an engine that was away is found again by the next one. A cell is
    str, int, float, Decimal, date, datetime (aware for TIMESTAMP) or None; other types come as text and booleans, which
    the engine does not know, as 0 and 1.
    """

    def __init__(self, url: str, options: MySqlOptions | None = None, planner_url: str | None = None) -> None:
        """`planner_url` is an account that may read what is behind the governed views; it only asks for plans.

        The engine shows no plan of a view to an account that may read the view alone; without views none is needed.
        Raises WarehouseUnavailable for a URL that cannot be used.
        """
        self._options = options or MySqlOptions()
        self._connections = Connections(url, self._options)
        self._planner = Connections(planner_url, self._options) if planner_url else self._connections
        self._running = RunningStatements(self._stop, _close, MySQLError)

    @property
    def dialect(self) -> Dialect:
        """The dialect SQL is rendered in for this engine."""
        return "mysql"

    async def close(self) -> None:
        """Give up all connections."""
        await self._connections.close()
        await self._planner.close()

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """What the optimiser expects before grouping; runs nothing. `full_scans` has the query's names of tables."""
        async with self._lookup(self._planner) as connection:
            await parse(connection, query.sql)
            ((document,),) = await rows_of(connection, f"EXPLAIN FORMAT=JSON {query.sql}")
            size = await relation_bytes(connection, query.sources, self._connections.database)
        plan = read_plan(json.loads(document))
        return CostEstimate(
            plan_cost=plan.cost,
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
        options, seconds, cap = self._options, query.timeout_seconds, SizeCap(query.byte_limit)
        patience = seconds + options.grace
        with our_errors(seconds):
            async with (
                self._connections.read_only(seconds) as connection,
                self._running.registered(run, connection),
                aclosing(batches_of(self._connections, connection, query.query, options, patience)) as batches,
            ):
                async for batch in batches:
                    yield cap.take(batch)

    async def cancel(self, run: RunId) -> bool:
        """Stop the run's statement; False when none is running in this process."""
        with our_errors(self._options.grace):
            return await self._running.cancel(run, self._options.grace)

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """Distinct non-null values of a governed column in rows that `where` holds for, as text, sorted."""
        name = quoted(column)
        statement = f"SELECT DISTINCT CAST({name} AS CHAR) FROM {quoted(source)} WHERE {name} IS NOT NULL"
        statement += f" AND ({where})" if where else ""
        async with self._lookup(self._connections) as connection:
            rows = await rows_of(connection, f"{statement} ORDER BY 1 LIMIT {limit:d}")
        return tuple(str(value) for (value,) in rows)

    async def latest(self, source: str, column: str) -> date | None:
        """The last day of data of a governed source (first of the month for month columns); None when empty.

        An instant is read in the warehouse's zone.
        """
        async with self._lookup(self._connections) as connection:
            ((value,),) = await rows_of(connection, f"SELECT MAX({quoted(column)}) FROM {quoted(source)}")
        return as_day(value)

    async def health(self) -> Health:
        """Whether the engine accepts a connection now and answers on it."""
        try:
            async with asyncio.timeout(self._options.connect_timeout), self._connections.apart() as connection:
                await rows_of(connection, "SELECT 1")
        except TimeoutError:
            return Health(ok=False, detail="no answer")
        except MySQLError as error:
            # The engine's or the driver's own words (host, account, reason); neither writes a password.
            return Health(ok=False, detail=str(error.args[-1] if error.args else error).partition("\n")[0])
        return Health(ok=True)

    async def _stop(self, connection: Connection, seconds: float) -> None:
        await kill(self._connections, connection.thread_id(), seconds, whole=False)

    @asynccontextmanager
    async def _lookup(self, connections: Connections) -> AsyncIterator[Connection]:
        options, seconds = self._options, self._options.lookup_timeout
        with our_errors(seconds):
            async with connections.read_only(seconds) as connection, asyncio.timeout(seconds + options.grace):
                yield connection


async def _close(connection: Connection) -> None:
    connection.close()
