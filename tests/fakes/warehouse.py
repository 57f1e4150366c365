"""A warehouse that answers from a script and can be slow, away, or drop the connection while rows come."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from datetime import date
from math import ceil

from adapters.warehouses.size_cap import SizeCap
from agent.errors import QueryCancelled, QueryFailed, QueryTimeout, WarehouseUnavailable
from agent.ports import Health, RowBatch
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from agent.values.result import Row
from semantic_catalog.model import Dialect

CHEAP = CostEstimate(plan_cost=100, root_rows=10, max_node_rows=1000, relation_bytes=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedResult:
    """What a statement gives: its rows, `drop_after` so many of them a lost connection, or `fails` with this detail."""

    columns: tuple[tuple[str, str], ...] = (("value", "int4"),)
    rows: tuple[Row, ...] = ()
    drop_after: int | None = None
    fails: str = ""


@dataclass(kw_only=True)
class ScriptedWarehouse:
    """The `Warehouse` port by script.

    `results` maps SQL to what it gives; other SQL gives `otherwise`. While `away`, nothing answers. While `open_gate`
    is not set, statements run on and on until their timeout or a cancel. `ran` lists what was started, in order.
    """

    results: Mapping[str, ScriptedResult] = field(default_factory=dict)
    otherwise: ScriptedResult = ScriptedResult()
    estimates: CostEstimate = CHEAP
    values: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    values_where: Mapping[tuple[str, str, str], tuple[str, ...]] = field(default_factory=dict)
    newest: Mapping[tuple[str, str], date] = field(default_factory=dict)
    dialect: Dialect = "postgres"
    away: bool = False
    batch_rows: int = 2
    ran: list[GovernedQuery] = field(default_factory=list)
    open_gate: asyncio.Event = field(default_factory=asyncio.Event)
    _cancels: dict[RunId, asyncio.Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.open_gate.set()

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        self._answer()
        self._succeed(self._result(query))
        return self.estimates

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        self._answer()
        self.ran.append(query)
        self._cancels[run] = asyncio.Event()
        try:
            await self._pass_gate(query, run)
            result = self._result(query.query)
            self._succeed(result)
            cap = SizeCap(query.byte_limit)
            for batch in self._batches(result, query.query.row_limit):
                yield cap.take(batch)
            if result.drop_after is not None:
                raise WarehouseUnavailable("dropped")
        finally:
            del self._cancels[run]

    async def cancel(self, run: RunId) -> bool:
        self._answer()
        if run not in self._cancels:
            return False
        self._cancels[run].set()
        return True

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        self._answer()
        if where:
            return tuple(sorted(set(self.values_where.get((source, column, where), ()))))[:limit]
        return tuple(sorted(set(self.values.get((source, column), ()))))[:limit]

    async def latest(self, source: str, column: str) -> date | None:
        self._answer()
        return self.newest.get((source, column))

    async def health(self) -> Health:
        return Health(ok=not self.away, detail="away" if self.away else "")

    def _result(self, query: CheckedQuery) -> ScriptedResult:
        return self.results.get(query.sql, self.otherwise)

    def _answer(self) -> None:
        if self.away:
            raise WarehouseUnavailable("away")

    def _succeed(self, result: ScriptedResult) -> None:
        if result.fails:
            raise QueryFailed(result.fails)

    async def _pass_gate(self, query: GovernedQuery, run: RunId) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (self.open_gate, self._cancels[run])]
        try:
            done, _ = await asyncio.wait(waits, timeout=query.timeout_seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._cancels[run].is_set():
            raise QueryCancelled
        if not done:
            raise QueryTimeout(seconds=ceil(query.timeout_seconds))

    def _batches(self, result: ScriptedResult, limit: int) -> list[RowBatch]:
        rows = result.rows[:limit][: result.drop_after]
        starts = range(0, max(1, len(rows)), self.batch_rows)
        return [RowBatch(columns=result.columns, rows=rows[start : start + self.batch_rows]) for start in starts]
