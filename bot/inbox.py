"""The durable inbox: a turn is stored before it is acknowledged, and handled once, in the order of its thread."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import structlog
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.control.postgres.connections import OWN_NAME, check_standing, connect_arguments
from adapters.control.postgres.migrate import changing_tables
from agent.codec import decode, encode
from agent.errors import StoreFailed, StoreUnavailable
from agent.repeating import repeated
from agent.values.turn import Turn
from bot.connections import INBOX_CONNECTIONS
from bot.leases import Leases
from bot.waiting.retries import KeepTrying

TASK = "handle_turn"
QUEUE = "turns"
TIMELY = "timely"
HEARTBEAT_SECONDS = 5.0
STALLED_AFTER_SECONDS = 20.0
"""A worker that missed this many seconds of heartbeats is dead: its timely jobs go to another."""

LOOK_EVERY_SECONDS = 5.0
FETCH_EVERY_SECONDS = 1.0
"""How soon an idle worker sees a turn that became due, or whose thread became free: nothing tells it."""

PATIENCE_SECONDS = 10.0
"""How long a connection is waited for when all are in use."""

FINISH_WITHIN_SECONDS = 10.0
"""How long running turns may take to finish when the worker stops; then they are cut short and handed over."""

log = structlog.get_logger()


class Inbox:
    """Jobs on the control PostgreSQL. `put` belongs to every process, `work` to workers."""

    def __init__(self, url: str, name: str = OWN_NAME) -> None:
        """`name` is what the server calls the connections."""
        self._url, self._name = url, name
        self._app = App(connector=_connector(url, name))
        _hide_message_bodies()

    async def open(self) -> None:
        """Connect and make procrastinate's own tables, whoever else starts now. Raises `StoreUnavailable`."""
        await self._app.open_async()
        if await self._app.check_connection_async():
            return
        async with changing_tables(self._url, self._name):
            if not await self._app.check_connection_async():
                await self._app.schema_manager.apply_schema_async()

    async def close(self) -> None:
        """Give the connections back."""
        await self._app.close_async()

    async def put(self, turn: Turn) -> bool:
        """Store the turn; False when the same event is stored already. Raises `StoreUnavailable`.

        Turns of one thread run in order. A cancel passes the line: it must reach the run that holds the thread.
        """
        lock = None if turn.kind == "cancel" else turn.thread
        job = self._app.configure_task(TASK, queue=QUEUE, lock=lock, queueing_lock=turn.event_id)
        try:
            await job.defer_async(turn=encode(turn))
        except AlreadyEnqueued:
            return False
        except ConnectorException as error:
            raise StoreUnavailable(type(error).__name__) from error
        return True

    def repeat(self, name: str, cron: str, job: Callable[[datetime], Awaitable[object]]) -> None:
        """Let the workers do the job whenever `cron` (UTC) says: once each time, however many workers there are.

        The job gets the aware instant it was due at; one that fails is done again the next time.
        """
        if name in self._app.tasks:
            return

        @self._app.periodic(cron=cron, periodic_id=name)
        @self._app.task(name=name, queue=TIMELY, lock=name, queueing_lock=name)
        async def timely(timestamp: int) -> None:
            await job(datetime.fromtimestamp(timestamp, UTC))

    async def forget_jobs(self, keep: timedelta) -> None:
        """Delete jobs that ended before `keep` ago, where a version before kept them. Raises `StoreUnavailable`."""
        hours = max(1, int(keep.total_seconds() // 3600))
        try:
            await self._app.job_manager.delete_old_jobs(
                nb_hours=hours, include_failed=True, include_cancelled=True, include_aborted=True
            )
        except ConnectorException as error:
            raise StoreUnavailable(type(error).__name__) from error

    async def work(
        self,
        handle: Callable[[Turn], Awaitable[object]],
        leases: Leases,
        *,
        concurrency: int,
        until_empty: bool = False,
        finish_within: float = FINISH_WITHIN_SECONDS,
    ) -> None:
        """Handle turns until stopped (or until none is left), or until the database is lost.

        Jobs of dead workers are taken over on the way. When stopped, running turns get `finish_within` seconds; what
        is cut short then goes on in another worker, from its last checkpoint.
        """
        self._register(handle, leases)
        async with repeated(partial(self._take_over, leases), LOOK_EVERY_SECONDS):
            await self._app.run_worker_async(
                queues=[QUEUE, TIMELY],
                concurrency=concurrency,
                wait=not until_empty,
                install_signal_handlers=False,
                shutdown_graceful_timeout=finish_within,
                fetch_job_polling_interval=FETCH_EVERY_SECONDS,
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=STALLED_AFTER_SECONDS,
                delete_jobs="always",
            )

    def _register(self, handle: Callable[[Turn], Awaitable[object]], leases: Leases) -> None:
        if TASK in self._app.tasks:
            return

        @self._app.task(name=TASK, queue=QUEUE, pass_context=True, retry=KeepTrying())
        async def handle_turn(context: JobContext, turn: dict[str, Any]) -> None:
            received = decode(Turn, turn)
            job = context.job.id
            assert job is not None
            await leases.handle(received.event_id, job, partial(handle, received))

    async def _take_over(self, leases: Leases) -> None:
        """Give jobs that nobody is at back to the queue: turns by their lease, timely jobs by their worker."""
        manager = self._app.job_manager
        try:
            stalled = await manager.get_stalled_jobs(queue=TIMELY, seconds_since_heartbeat=STALLED_AFTER_SECONDS)
            for job in (*(job.id for job in stalled), *await leases.abandoned(QUEUE)):
                assert job is not None
                await self._give_back(job)
        except (ConnectorException, StoreUnavailable, StoreFailed) as error:
            log.warning("stalled_jobs_unseen", error=type(error).__name__)

    async def _give_back(self, job: int) -> None:
        """One that cannot go back now keeps no other from it; it is looked at again in the next round."""
        try:
            await self._app.job_manager.retry_job_by_id_async(job_id=job, retry_at=datetime.now(UTC))
        except ConnectorException as error:
            log.warning("job_not_taken_over", job=job, error=type(error).__name__)
        else:
            log.warning("job_taken_over", job=job)


def _connector(url: str, name: str) -> PsycopgConnector:
    told = ("connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout")
    known = connect_arguments(name)
    return PsycopgConnector(
        conninfo=url,
        min_size=0,
        max_size=INBOX_CONNECTIONS,
        timeout=PATIENCE_SECONDS,
        kwargs={key: known[key] for key in ("application_name", *told)},
        configure=_each_by_itself,
        pool_factory=_pool,
    )


async def _each_by_itself(connection: AsyncConnection[Any]) -> None:
    """Each query is one statement: begin, commit and a look at the connection would be round trips more.

    Said here and not with the other arguments: procrastinate repeats those for the connection it listens on, with an
    `autocommit` of its own.
    """
    await connection.set_autocommit(True)


def _pool(**asked: Any) -> AsyncConnectionPool:
    return AsyncConnectionPool(**{**asked, "check": check_standing})


class _ActionOnly(logging.Filter):
    """Procrastinate names a job by its arguments, and those are people's messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = f"procrastinate {getattr(record, 'action', 'event')}", ()
        return True


def _hide_message_bodies() -> None:
    for name in ("procrastinate.worker", "procrastinate.jobs", "procrastinate.manager", "procrastinate.tasks"):
        logger = logging.getLogger(name)
        if not any(isinstance(known, _ActionOnly) for known in logger.filters):
            logger.addFilter(_ActionOnly())
