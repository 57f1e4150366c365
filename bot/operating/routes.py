"""What operators and probes ask a process over HTTP: does it live, is it ready, what does it count."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot.operating.backlog_gauges import BacklogGauges
from bot.operating.metrics import Metrics
from bot.operating.readiness import Readiness, Standing

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRoutes:
    """The routes of one process. Health says no more than names, up or down, and milliseconds: reasons are logged."""

    readiness: Readiness
    gauges: BacklogGauges
    metrics: Metrics
    faults: Callable[[], Collection[str]] = frozenset

    def health(self) -> tuple[web.RouteDef, ...]:
        """`/health/live`, `/health/ready` for all dependencies and `/health/ready/<dependency>` for one."""
        return (
            web.get("/health/live", _live),
            web.get("/health/ready", self._ready),
            web.get("/health/ready/{dependency}", self._ready_of_one),
        )

    def all(self) -> tuple[web.RouteDef, ...]:
        """The same, and `/metrics` for Prometheus."""
        return (*self.health(), web.get("/metrics", self._metrics))

    async def _ready(self, _: web.Request) -> web.Response:
        return _answer(await self.readiness.look(), self.faults())

    async def _ready_of_one(self, request: web.Request) -> web.Response:
        name = request.match_info["dependency"]
        standing = await self.readiness.look_at(name)
        if standing is None:
            raise web.HTTPNotFound(text="No such dependency.")
        return _answer({name: standing})

    async def _metrics(self, _: web.Request) -> web.Response:
        await self.readiness.look()
        await self.gauges.refresh()
        return web.Response(body=generate_latest(self.metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


async def _live(_: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _answer(known: Mapping[str, Standing], faults: Collection[str] = ()) -> web.Response:
    is_ready = all(standing.health.ok for standing in known.values())
    said = {
        name: {"status": "ok" if standing.health.ok else "down", "ms": round(standing.seconds * 1000, 1)}
        for name, standing in known.items()
    }
    body: dict[str, object] = {"status": "ok" if is_ready else "down", "dependencies": said}
    if faults:
        # The last good ones are in force: it works, but not as the files say.
        body["faulty"] = sorted(faults)
    return web.json_response(body, status=200 if is_ready else 503)
