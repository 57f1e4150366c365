"""A running service: the HTTP app, Socket Mode and the worker, until it is told to stop."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from adapters.channels.teams.config import Endpoints
from bot.app import create_app
from bot.bootstrap import Product
from bot.channels import Channels, connected_channels
from bot.connections import ProcessKind
from bot.inbox import FINISH_WITHIN_SECONDS
from bot.logs import configure_logs
from bot.operating.listening import operating
from bot.settings import Settings, load_settings
from bot.working import tell, work

STOP_WITHIN_SECONDS = (FINISH_WITHIN_SECONDS + 2.0, 5.0, 5.0)
"""Running turns finish or are handed over within the first; the others are for work that does not hear it at once."""

log = structlog.get_logger()


async def run_service(
    *, http: bool, worker: bool, endpoints: Endpoints | None = None, settings: Settings | None = None
) -> None:
    """Serve until SIGTERM or SIGINT; turns that are running are finished or handed over first.

    `endpoints` are Microsoft's and `settings` the environment's unless told otherwise.
    """
    settings = settings or load_settings()
    configure_logs(settings.analyst.log_level)
    stopping = _stop_signal()
    async with (
        connected_channels(settings, endpoints, _kind(http=http, worker=worker)) as (built, channels),
        operating(settings.operating, built.operators),
        working(built, worker),
    ):
        if http:
            async with serving(built, channels), channels.socket_mode():
                await stopping.wait()
        else:
            log.info("worker_started")
            await stopping.wait()


def _kind(*, http: bool, worker: bool) -> ProcessKind:
    if http:
        return "all-in-one" if worker else "serve"
    return "worker"


@asynccontextmanager
async def serving(built: Product, channels: Channels) -> AsyncIterator[str]:
    """The HTTP app, listening; yields its base URL."""
    http = built.settings.http
    app = create_app(
        channels.routes(),
        built.stores.artifacts,
        channels.links,
        built.operators,
        metrics_here=not built.settings.operating.metrics_port,
    )
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, http.host, http.port)
        await site.start()
        base = f"http://{http.host}:{_port(runner)}"
        log.info("serving", url=base, channels=sorted(channels.names()))
        yield base
    finally:
        await runner.cleanup()


@asynccontextmanager
async def working(built: Product, worker: bool = True) -> AsyncIterator[None]:
    """A worker beside whatever runs inside; turns that are running are finished on the way out.

    Without one, threads are still told of turns that wait.
    """
    task = asyncio.create_task(work(built) if worker else tell(built))
    try:
        yield
    finally:
        await _stop(task)


async def _stop(task: asyncio.Task[None]) -> None:
    for seconds in STOP_WITHIN_SECONDS:
        # Asked again: before Python 3.12 a cancellation can be lost inside the driver.
        task.cancel()
        await asyncio.wait({task}, timeout=seconds)
        if task.done():
            break
    else:
        log.error("worker_not_stopped")
        return
    if not task.cancelled() and (error := task.exception()):
        log.error("worker_failed", error=type(error).__name__)


def _port(runner: web.AppRunner) -> int:
    """The port that was given by the system where the setting is 0."""
    return int(runner.addresses[0][1])


def _stop_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return stopping
