"""Ports with a count beside them: the same calls, answers and errors."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from datetime import date
from time import perf_counter
from typing import Any, TypeVar

import structlog

from agent.errors import ModelError, QueryCancelled, WarehouseUnavailable
from agent.ports import Health, Model, RowBatch
from agent.values.completion import Completion, Prompt
from agent.values.governance import CheckedQuery, CostEstimate, GovernedQuery
from agent.values.identity import RunId
from agent.values.run_event import RunEvent
from agent.values.usage import Usage
from bot.operating.metrics import Metrics
from bot.ports import AuditLog
from bot.warehouses import ClosableWarehouse
from semantic_catalog.errors import CountersignError
from semantic_catalog.model import Dialect, DomainName

Found = TypeVar("Found")
log = structlog.get_logger()


class MeasuredWarehouse:
    """A domain's warehouse, its calls counted and timed; what fails is logged with the domain."""

    def __init__(self, inner: ClosableWarehouse, domain: DomainName, metrics: Metrics, connections: int) -> None:
        self._inner = inner
        self._domain = domain
        self._metrics = metrics
        metrics.warehouse_limit.labels(domain).set(connections)

    @property
    def dialect(self) -> Dialect:
        """The engine's dialect."""
        return self._inner.dialect

    async def estimate(self, query: CheckedQuery) -> CostEstimate:
        """See `Warehouse`."""
        return await self._timed("estimate", lambda: self._inner.estimate(query))

    async def stream(self, query: GovernedQuery, run: RunId) -> AsyncGenerator[RowBatch, None]:
        """See `Warehouse`."""
        rows = 0
        with self._seen("query"):
            async with aclosing(self._inner.stream(query, run)) as batches:  # type: ignore[type-var]
                async for batch in batches:
                    rows += len(batch.rows)
                    yield batch
        self._metrics.result_rows.labels(self._domain).observe(rows)

    async def cancel(self, run: RunId) -> bool:
        """See `Warehouse`."""
        return await self._timed("cancel", lambda: self._inner.cancel(run))

    async def members(self, source: str, column: str, limit: int, where: str = "") -> tuple[str, ...]:
        """See `Warehouse`."""
        return await self._timed("members", lambda: self._inner.members(source, column, limit, where))

    async def latest(self, source: str, column: str) -> date | None:
        """See `Warehouse`."""
        return await self._timed("latest", lambda: self._inner.latest(source, column))

    async def health(self) -> Health:
        """See `Warehouse`; how often it is asked says nothing of the work, so it is not counted."""
        return await self._inner.health()

    async def close(self) -> None:
        """Give up all connections."""
        await self._inner.close()

    async def _timed(self, operation: str, call: Callable[[], Awaitable[Found]]) -> Found:
        with self._seen(operation):
            return await call()

    @contextmanager
    def _seen(self, operation: str) -> Iterator[None]:
        started, outcome = perf_counter(), "stopped"
        try:
            with self._metrics.warehouse_in_use.labels(self._domain).track_inprogress():
                yield
            outcome = "ok"
        except CountersignError as error:
            outcome = error.code
            self._log(operation, error)
            raise
        finally:
            self._metrics.warehouse_calls.labels(self._domain, operation, outcome).inc()
            self._metrics.warehouse_seconds.labels(self._domain, operation).observe(perf_counter() - started)

    def _log(self, operation: str, error: CountersignError) -> None:
        if isinstance(error, QueryCancelled):
            return
        level = log.error if isinstance(error, WarehouseUnavailable) else log.warning
        level("warehouse_failed", domain=self._domain, operation=operation, code=error.code)


class MeasuredModel:
    """A model, its calls, tokens and failures counted."""

    def __init__(self, inner: Model, metrics: Metrics) -> None:
        self._inner = inner
        self._metrics = metrics

    @property
    def prompt_tokens(self) -> int:
        """See `Model`."""
        return self._inner.prompt_tokens

    async def complete(self, prompt: Prompt) -> Completion:
        """See `Model`."""
        started, outcome = perf_counter(), "stopped"
        try:
            completion = await self._inner.complete(prompt)
            outcome = "ok"
            self._count(completion.usage)
        except ModelError as error:
            outcome = error.code
            self._count(error.usage)
            raise
        finally:
            self._metrics.model_calls.labels(prompt.agent, outcome).inc()
            self._metrics.model_seconds.labels(prompt.agent).observe(perf_counter() - started)
        return completion

    def _count(self, usage: Usage) -> None:
        for used in usage.by_agent:
            self._metrics.model_tokens.labels(used.agent, "in").inc(used.tokens_in)
            self._metrics.model_tokens.labels(used.agent, "out").inc(used.tokens_out)


class MeasuredAudit:
    """The audit log, its events counted. An event that a repeated turn writes again counts again."""

    def __init__(self, inner: AuditLog, metrics: Metrics) -> None:
        self._inner = inner
        self._metrics = metrics

    async def append(self, run: RunId, event: str, by: str, facts: dict[str, Any], once: str = "") -> None:
        """See `AuditLog`."""
        await self._inner.append(run, event, by, facts, once)
        self._counted(event, facts)

    async def append_all(self, run: RunId, events: Sequence[RunEvent]) -> None:
        """See `AuditLog`."""
        await self._inner.append_all(run, events)
        for event in events:
            self._counted(event.name, event.facts)

    def _counted(self, event: str, facts: dict[str, Any]) -> None:
        self._metrics.audit.labels(event).inc()
        if event == "decided":
            self._metrics.decisions.labels(str(facts.get("kind", ""))).inc()
        elif event in ("expired", "cancelled"):
            self._metrics.decisions.labels(event).inc()
