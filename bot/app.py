"""The HTTP app: the channels' endpoints, downloads and health."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from agent.ports import Health
from bot.links import DownloadLinks
from bot.ports import ArtifactStore

MAX_BODY_BYTES = 1024 * 1024
"""Slack and Teams send at most some 100 KB; anything larger is not theirs."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Check = Callable[[], Awaitable[Health]]


def create_app(
    routes: Sequence[web.RouteDef],
    artifacts: ArtifactStore,
    links: DownloadLinks | None,
    checks: Mapping[str, Check],
) -> web.Application:
    """The app. `routes` are the channels' own; downloads exist only with `links`."""
    app = web.Application(client_max_size=MAX_BODY_BYTES)
    app.router.add_routes(routes)
    if links is not None:
        app.router.add_get("/files/{token}", _download(artifacts, links))
    app.router.add_get("/health/live", _live)
    app.router.add_get("/health/ready", _ready(checks))
    app.router.add_get("/metrics", _metrics)
    return app


async def _live(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _ready(checks: Mapping[str, Check]) -> Handler:
    async def ready(_: web.Request) -> web.Response:
        found = {name: await check() for name, check in checks.items()}
        status = 200 if all(health.ok for health in found.values()) else 503
        return web.json_response({name: "ok" if h.ok else "down" for name, h in found.items()}, status=status)

    return ready


def _download(artifacts: ArtifactStore, links: DownloadLinks) -> Handler:
    async def download(request: web.Request) -> web.Response:
        named = links.read(request.match_info["token"])
        stored = await artifacts.get(*named) if named else None
        if stored is None:
            raise web.HTTPNotFound(text="This link has expired. Ask for the file again in the chat.")
        return web.Response(
            body=stored.content,
            content_type=stored.media_type,
            headers={
                "Content-Disposition": f'attachment; filename="{stored.name}"',
                "Cache-Control": "private, no-store",
                "X-Content-Type-Options": "nosniff",
            },
        )

    return download


async def _metrics(_: web.Request) -> web.Response:
    return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
