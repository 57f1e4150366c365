"""The port for operators, and the look at the dependencies that logs what changes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from aiohttp import web

from agent.repeating import repeated
from bot.operating.readiness import LOOK_EVERY_SECONDS
from bot.operating.routes import OperatorRoutes
from bot.settings import OperatingSettings

log = structlog.get_logger()


@asynccontextmanager
async def operating(settings: OperatingSettings, routes: OperatorRoutes) -> AsyncIterator[None]:
    """Look at the dependencies again and again while inside, and listen on the operators' port where one is set."""
    async with repeated(routes.readiness.look, LOOK_EVERY_SECONDS):
        if not settings.metrics_port:
            yield
            return
        async with listening(routes, settings.metrics_host, settings.metrics_port):
            yield


@asynccontextmanager
async def listening(routes: OperatorRoutes, host: str, port: int) -> AsyncIterator[str]:
    """The operators' app on that port (0: the system's choice); yields its base URL."""
    app = web.Application()
    app.router.add_routes(routes.all())
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        base = f"http://{host}:{runner.addresses[0][1]}"
        log.info("operators_port", url=base)
        yield base
    finally:
        await runner.cleanup()
