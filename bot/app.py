"""The HTTP app: the channels' endpoints, downloads and health."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.links import DownloadLinks
from bot.operating.metrics import Metrics
from bot.operating.routes import OperatorRoutes
from bot.ports import ArtifactStore
from cards.elements import Attachment

MAX_BODY_BYTES = 1024 * 1024
"""Slack and Teams send at most some 100 KB; anything larger is not theirs."""

ANSWER_WITHIN_SECONDS = 2.6
"""Slack and Teams wait 3 seconds for theirs."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def create_app(
    routes: Sequence[web.RouteDef],
    artifacts: ArtifactStore,
    links: DownloadLinks | None,
    operators: OperatorRoutes,
    *,
    metrics_here: bool = True,
) -> web.Application:
    """The app. `routes` are the channels' own, each timed up to its answer; downloads exist only with `links`.

    `/metrics` is on this port only where operators have none of their own.
    """
    timed = frozenset(route.path for route in routes)
    app = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[_acknowledging(timed, operators.metrics)])
    app.router.add_routes(routes)
    if links is not None:
        app.router.add_get("/files/{token}", _download(artifacts, links))
    app.router.add_routes(operators.all() if metrics_here else operators.health())
    return app


def _acknowledging(timed: frozenset[str], metrics: Metrics) -> Middleware:
    @web.middleware
    async def acknowledge(request: web.Request, handler: Handler) -> web.StreamResponse:
        resource = request.match_info.route.resource
        route = resource.canonical if resource else ""
        if route not in timed:
            return await handler(request)
        started, status = perf_counter(), 500
        try:
            answer = await _in_time(handler, request)
            status = answer.status
        except web.HTTPException as error:
            status = error.status
            raise
        finally:
            metrics.acknowledgements.labels(route, f"{status // 100}xx").observe(perf_counter() - started)
        return answer

    return acknowledge


async def _in_time(handler: Handler, request: web.Request) -> web.StreamResponse:
    """The answer, or 503 before the platform stops listening: it delivers again, and what was stored is known then."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_SECONDS):
            return await handler(request)
    except TimeoutError:
        return web.Response(status=503)


def _download(artifacts: ArtifactStore, links: DownloadLinks) -> Handler:
    async def download(request: web.Request) -> web.StreamResponse:
        named = links.read(request.match_info["token"])
        stored = await artifacts.get(*named) if named else None
        if stored is None:
            raise web.HTTPNotFound(text="This link has expired. Ask for the file again in the chat.")
        answer = web.StreamResponse(
            headers={
                "Content-Disposition": f'{_disposition(stored)}; filename="{stored.name}"',
                "Cache-Control": "private, no-store",
                "X-Content-Type-Options": "nosniff",
            },
        )
        answer.content_type, answer.content_length = stored.media_type, stored.size
        await answer.prepare(request)
        async for part in stored.read():
            await answer.write(part)
        await answer.write_eof()
        return answer

    return download


def _disposition(stored: Attachment) -> str:
    """A chart is shown where it is linked, everything else is saved."""
    return "inline" if stored.media_type == "image/png" else "attachment"
