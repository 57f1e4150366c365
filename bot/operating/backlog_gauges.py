"""Figures that are read when they are asked for: the inbox, open proposals, sizes, connections."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from math import nan
from time import monotonic

import structlog

from adapters.control.postgres.backlog import Backlog, PostgresBacklog
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.processes import PostgresProcesses, Room, SeenProcess
from agent.errors import StoreFailed, StoreUnavailable
from bot.connections import SERVICES
from bot.operating.metrics import Metrics

GOOD_FOR_SECONDS = 5.0
PATIENCE_SECONDS = 3.0

log = structlog.get_logger()


class BacklogGauges:
    """Sets the gauges of the whole service from the control database. Without it they are NaN: nobody knows."""

    def __init__(self, metrics: Metrics, backlog: PostgresBacklog, pool: Pool, processes: PostgresProcesses) -> None:
        self._processes = processes
        self._metrics = metrics
        self._backlog = backlog
        self._pool = pool
        self._asking = asyncio.Lock()
        self._asked_at: float | None = None

    async def refresh(self) -> None:
        """Read them, at most every few seconds. Never raises, and takes no longer than its patience."""
        async with self._asking:
            if self._asked_at is not None and monotonic() - self._asked_at < GOOD_FOR_SECONDS:
                return
            self._asked_at = monotonic()
            self._set_pool(self._pool.get_stats())
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    self._set(await self._backlog.read())
                    self._set_room(await self._processes.room(), await self._processes.all())
            except (StoreUnavailable, StoreFailed, TimeoutError) as error:
                self._forget()
                log.warning("backlog_not_read", error=type(error).__name__)

    def _set(self, backlog: Backlog) -> None:
        metrics = self._metrics
        for state in ("waiting", "retrying", "running"):
            metrics.queue_turns.labels(state).set(getattr(backlog, state))
        metrics.queue_oldest.set(backlog.oldest)
        metrics.workers.set(backlog.workers)
        metrics.letters.labels("waiting").set(backlog.letters)
        metrics.letters.labels("dead").set(backlog.dead_letters)
        metrics.approvals.set(backlog.approvals)
        metrics.approval_oldest.set(backlog.oldest_approval)
        metrics.audit_age.set(nan if backlog.audit_age is None else backlog.audit_age)
        metrics.audit_broken.set(int(backlog.audit_broken))
        for table, size in backlog.tables.items():
            metrics.table_bytes.labels(table).set(size)

    def _forget(self) -> None:
        """What was true before the database went away may be true no more."""
        metrics = self._metrics
        for several in (metrics.queue_turns, metrics.letters, metrics.processes, metrics.control_connections):
            several.clear()
        for one in (metrics.queue_oldest, metrics.workers, metrics.approvals, metrics.approval_oldest):
            one.set(nan)
        for one in (metrics.audit_age, metrics.audit_broken):
            one.set(nan)

    def _set_room(self, room: Room, processes: Sequence[SeenProcess]) -> None:
        for state in ("allowed", "claimed", "others"):
            self._metrics.control_connections.labels(state).set(getattr(room, state))
        live = Counter(seen.process.kind for seen in processes if seen.is_live)
        for kind in SERVICES:
            self._metrics.processes.labels(kind).set(live[kind])

    def _set_pool(self, stats: Mapping[str, int]) -> None:
        size, free = stats.get("pool_size", 0), stats.get("pool_available", 0)
        self._metrics.pool.labels("in_use").set(max(0, size - free))
        self._metrics.pool.labels("free").set(free)
        self._metrics.pool.labels("max").set(stats.get("pool_max", 0))
        self._metrics.pool_waiting.set(stats.get("requests_waiting", 0))
