"""Slack's side of the HTTP app."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.answers import answer
from adapters.channels.slack.background import Background
from adapters.channels.slack.clients import SLACK_API, SlackClients
from adapters.channels.slack.departures import Departure, Left, read_departure
from adapters.channels.slack.door import Door, Follows, Receive
from adapters.channels.slack.fields import text
from adapters.channels.slack.installation import InstalledBot
from adapters.channels.slack.intake import SlackIntake, stored_or_again
from adapters.channels.slack.oauth.doors import Doors
from adapters.channels.slack.oauth.flow import InstallRoutes
from adapters.channels.slack.oauth.workspaces import Named, Workspaces
from adapters.channels.slack.people import SlackPeople
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.signature import RequestSignatures
from adapters.channels.slack.surfaces import NoSurfaces, Surfaces
from agent.ports import Clock
from semantic_catalog.model import Locale

EVENTS_PATH: Final = "/slack/events"
MAX_BODY_BYTES: Final = 1_000_000
_ACCEPTED: Final = 200

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackApp:
    """Bolt, and the one route that events, commands and clicks come in by."""

    bolt: AsyncApp
    signatures: RequestSignatures
    background: Background
    install: InstallRoutes | None = None

    def routes(self, *, socket_mode: bool = False) -> tuple[web.RouteDef, ...]:
        """What the HTTP app serves for Slack; in Socket Mode at most the pages of an installation."""
        pages = self.install.routes() if self.install else ()
        return pages if socket_mode else (web.post(EVENTS_PATH, self.deliver), *pages)

    async def deliver(self, request: web.Request) -> web.StreamResponse:
        """Answer one delivery: 401 unless Slack signed it, 413 when too large, 503 when it could not be stored."""
        try:
            body = (await _body(request)).decode()
        except UnicodeDecodeError:
            return web.Response(status=401)
        if not self.signatures.claim(request.headers, body):
            return web.Response(status=401)
        status = 500
        try:
            answer = await self._dispatch(request, body)
            status = answer.status
        finally:
            if status != _ACCEPTED:
                self.signatures.release(request.headers)
        return answer

    async def close(self) -> None:
        """Wait for notices and dialogs that are still under way."""
        await self.background.close()

    async def _dispatch(self, request: web.Request, body: str) -> web.StreamResponse:
        try:
            asked = AsyncBoltRequest(body=body, query=request.query_string, headers=dict(request.headers))
        except ValueError:
            return web.Response(status=400)
        return await to_aiohttp_response(await self.bolt.async_dispatch(asked))


def create_slack_app(
    clients: SlackClients,
    signing_secret: str,
    receive: Receive,
    follows: Follows,
    clock: Clock,
    default_locale: Locale = "en",
    surfaces: Surfaces | None = None,
    left: Left | None = None,
) -> SlackApp:
    """The app of one workspace. `signing_secret` may be any text where only Socket Mode is served.

    `left` is told when somebody removes the app.
    """
    bot, background = InstalledBot(clients.once), Background()
    door = Door(
        bot=bot,
        clients=clients,
        people=SlackPeople(clients.once),
        replies=PrivateReplies(client=clients.once),
        background=background,
        receive=receive,
        follows=follows,
        surfaces=surfaces or NoSurfaces(),
        clock=clock,
        default_locale=default_locale,
    )
    intake = SlackIntake(door=door)

    async def authorize() -> AuthorizeResult:
        return await bot.authorized()

    async def take_in(req: AsyncBoltRequest) -> BoltResponse:
        departure = read_departure(req.body)
        if departure is not None:
            return await stored_or_again(_departed(left, departure))
        return await intake.handle(req.body)

    bolt = _bolt(signing_secret, authorize, take_in, clients.once.base_url)
    return SlackApp(bolt=bolt, signatures=RequestSignatures(signing_secret), background=background)


def create_distributed_slack_app(
    workspaces: Workspaces, doors: Doors, signing_secret: str, left: Left, install: InstallRoutes
) -> SlackApp:
    """The app of every workspace that installed it. Deliveries of any other are answered 200 and dropped."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        # Bolt's own client is not used: each workspace has its own.
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id)

    async def take_in(req: AsyncBoltRequest, context: AsyncBoltContext) -> BoltResponse:
        departure = read_departure(req.body)
        if departure is not None:
            return await stored_or_again(_departed(left, departure))
        return await stored_or_again(_handed_over(doors, workspaces, context, req))

    bolt = _bolt(signing_secret, authorize, take_in, SLACK_API)
    return SlackApp(
        bolt=bolt, signatures=RequestSignatures(signing_secret), background=doors.background, install=install
    )


async def _handed_over(
    doors: Doors, workspaces: Workspaces, context: AsyncBoltContext, req: AsyncBoltRequest
) -> BoltResponse:
    named = Named(
        enterprise=context.enterprise_id or "", team=context.team_id or "", whole=bool(context.is_enterprise_install)
    )
    # In a channel shared with others a click names the person's own workspace, and its message the bot's.
    posted = Named(enterprise="", team=text(req.body, "message", "team"))
    workspace = await workspaces.of_event(named) or await workspaces.of_event(posted)
    if workspace is None:
        log.info("slack_workspace_unknown", team=named.team, enterprise=named.enterprise)
        return answer()
    return await SlackIntake(door=doors.of(workspace)).handle(req.body)


async def _departed(left: Left | None, departure: Departure) -> BoltResponse:
    log.info("slack_app_removed", team=departure.team, enterprise=departure.enterprise)
    if left is not None:
        await left(departure)
    return answer()


def _bolt(
    signing_secret: str,
    authorize: Callable[..., Awaitable[AuthorizeResult]],
    take_in: Callable[..., Awaitable[BoltResponse]],
    base_url: str,
) -> AsyncApp:
    app = AsyncApp(
        name="countersign",
        signing_secret=signing_secret,
        client=AsyncWebClient(base_url=base_url),
        authorize=authorize,
    )
    # A middleware, not a listener: Bolt answers events before it runs their listeners.
    app.middleware(take_in)
    return app


async def _body(request: web.Request) -> bytes:
    held = bytearray()
    async for chunk in request.content.iter_any():
        held += chunk
        if len(held) > MAX_BODY_BYTES:
            raise web.HTTPRequestEntityTooLarge(max_size=MAX_BODY_BYTES, actual_size=len(held))
    return bytes(held)
