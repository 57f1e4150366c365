"""A bot as the SDK's own samples build one: what it gets wrong is what our adapter cures."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from botbuilder.core.teams import TeamsActivityHandler
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication
from botbuilder.schema import Activity, AdaptiveCardInvokeResponse, ConversationReference
from botframework.connector.auth import (
    AuthenticationConfiguration,
    BotFrameworkAuthenticationFactory,
    PasswordServiceClientCredentialFactory,
)

from adapters.channels.teams.app import MESSAGES_PATH
from tests.fakes.teams.connector import APP_ID, TeamsStandIn
from tests.fakes.teams.people import TeamsClient
from tests.fakes.teams.signing import ISSUER


class SampleBot(TeamsActivityHandler):  # type: ignore[misc]  # the SDK has no types
    """Answers a pressed button with a card, and remembers where it was spoken to."""

    def __init__(self) -> None:
        self.heard: list[Activity] = []

    async def on_message_activity(self, turn_context: Any) -> None:
        """Keep what was said."""
        self.heard.append(turn_context.activity)

    async def on_adaptive_card_invoke(self, turn_context: Any, invoke_value: Any) -> AdaptiveCardInvokeResponse:  # noqa: ARG002
        """The documented answer."""
        return AdaptiveCardInvokeResponse(
            status_code=200, type="application/vnd.microsoft.card.adaptive", value={"type": "AdaptiveCard"}
        )


class PlainBot:
    """The sample bot behind HTTP, and people who talk to it."""

    def __init__(self, people: TeamsClient, bot: SampleBot, adapter: CloudAdapter) -> None:
        self.people = people
        self.bot = bot
        self.adapter = adapter

    async def send(self, reference: ConversationReference, activity: Activity, app_id: str) -> None:
        """Post as the SDK does."""

        async def post(context: Any) -> None:
            await context.send_activity(activity)

        await self.adapter.continue_conversation(reference, post, app_id)


@asynccontextmanager
async def plain_bot(teams: TeamsStandIn, app_id: str = APP_ID) -> AsyncIterator[PlainBot]:
    """The bot, in front of that Teams. Without an app id nobody has to be anybody."""
    adapter, bot = CloudAdapter(_authentication(teams, app_id)), SampleBot()

    async def deliver(request: web.Request) -> web.Response:
        answer: web.Response = await adapter.process(request, bot)
        return answer

    http = web.Application()
    http.router.add_post(MESSAGES_PATH, deliver)
    server = TestServer(http)
    await server.start_server()
    try:
        people = TeamsClient(teams=teams, bot_url=str(server.make_url(MESSAGES_PATH)), signs=bool(app_id))
        yield PlainBot(people, bot, adapter)
    finally:
        await server.close()


class _Nobody:
    APP_ID = APP_PASSWORD = APP_TENANTID = ""
    APP_TYPE = "MultiTenant"


def _authentication(teams: TeamsStandIn, app_id: str) -> Any:
    if not app_id:
        return ConfigurationBotFrameworkAuthentication(_Nobody())
    return BotFrameworkAuthenticationFactory.create(
        to_channel_from_bot_oauth_scope=ISSUER,
        to_bot_from_channel_token_issuer=ISSUER,
        to_bot_from_channel_open_id_metadata_url=teams.config().endpoints.metadata_url,
        credential_factory=PasswordServiceClientCredentialFactory(app_id),
        auth_configuration=AuthenticationConfiguration(),
    )
