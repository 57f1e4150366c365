"""Slack without a public address: the same app over a WebSocket that we open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from adapters.channels.slack.app import SlackApp
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text


@asynccontextmanager
async def create_socket_mode(app: SlackApp, app_token: str, clients: SlackClients) -> AsyncIterator[None]:
    """Deliveries arrive while inside; a lost connection is opened again. What could not be stored is not acknowledged.

    Raises `DeliveryUnavailable`, or `DeliveryRefused` for a token that Slack does not take.
    """
    # Asked for here, because the SDK's own first attempt goes on for ever with a wrong token.
    with asking_slack("apps.connections.open"):
        opened = await clients.repeating.apps_connections_open(app_token=app_token)
    handler = AsyncSocketModeHandler(app.bolt, app_token=app_token, web_client=clients.repeating)
    handler.client.wss_uri = text(opened.data, "url")
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]  # the SDK leaves it untyped
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]  # as above
