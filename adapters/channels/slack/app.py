"""Slack's side of the HTTP app."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.background import Background
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.door import Door, Follows, Receive
from adapters.channels.slack.installation import InstalledBot
from adapters.channels.slack.intake import SlackIntake
from adapters.channels.slack.people import SlackPeople
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.signature import RequestSignatures
from adapters.channels.slack.surfaces import NoSurfaces, Surfaces
from agent.ports import Clock
from semantic_catalog.model import Locale

EVENTS_PATH: Final = "/slack/events"
MAX_BODY_BYTES: Final = 1_000_000
_ACCEPTED: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackApp:
    """Bolt, and the one route that events, commands and clicks come in by."""

    bolt: AsyncApp
    signatures: RequestSignatures
    background: Background

    def routes(self) -> tuple[web.RouteDef, ...]:
        """What the HTTP app serves for Slack."""
        return (web.post(EVENTS_PATH, self.deliver),)

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
) -> SlackApp:
    """The app of one workspace. `signing_secret` may be any text where only Socket Mode is served."""
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
    bolt = _bolt(signing_secret, bot, SlackIntake(door=door), clients.once.base_url)
    return SlackApp(bolt=bolt, signatures=RequestSignatures(signing_secret), background=background)


def _bolt(signing_secret: str, bot: InstalledBot, intake: SlackIntake, base_url: str) -> AsyncApp:
    async def authorize() -> AuthorizeResult:
        return await bot.authorized()

    async def take_in(req: AsyncBoltRequest) -> BoltResponse:
        return await intake.handle(req.body)

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
