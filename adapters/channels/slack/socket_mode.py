"""Slack without a public address: the same app over a WebSocket that we open."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import time
from typing import Final

import structlog
from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app, send_async_response
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.channels.slack.app import SlackApp
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import text

PING_SECONDS: Final = 10.0
"""How often Slack is asked whether it is still there; a connection that broke is opened again as soon."""

ADDRESS_SECONDS: Final = 20.0
"""How long an address is tried. It carries a ticket that ends; the SDK would try the same one for ever."""

log = structlog.get_logger()


class SocketClient(SocketModeClient):
    """The SDK's client, which asks for another address when one does not work."""

    address_seconds = ADDRESS_SECONDS

    async def connect(self) -> None:
        """Connect, however long that takes; return once connected or closed."""
        while not self.closed:
            try:
                async with asyncio.timeout(self.address_seconds):
                    await super().connect()  # type: ignore[no-untyped-call]  # the SDK leaves it untyped
            except TimeoutError:
                log.warning("slack_socket_not_connected")
                self.wss_uri = None
            else:
                log.info("slack_socket_connected")
                return


@asynccontextmanager
async def create_socket_mode(
    app: SlackApp,
    app_token: str,
    clients: SlackClients,
    ping_seconds: float = PING_SECONDS,
    address_seconds: float = ADDRESS_SECONDS,
) -> AsyncIterator[SocketClient]:
    """Deliveries arrive while inside; a lost connection is opened again. What could not be stored is not acknowledged.

    Raises `DeliveryUnavailable`, or `DeliveryRefused` for a token that Slack does not take.
    """
    # Asked for here, because the SDK's own first attempt goes on for ever with a wrong token.
    with asking_slack("apps.connections.open"):
        opened = await clients.repeating.apps_connections_open(app_token=app_token)
    # The SDK's messages quote addresses with their tickets.
    silent = logging.getLogger(f"{__name__}.sdk")
    silent.setLevel(logging.CRITICAL)
    client = SocketClient(app_token=app_token, logger=silent, web_client=clients.repeating, ping_interval=ping_seconds)
    client.address_seconds = address_seconds
    client.socket_mode_request_listeners.append(_listener(app))
    client.wss_uri = text(opened.data, "url")
    try:
        await client.connect()
        yield client
    finally:
        await client.close()  # type: ignore[no-untyped-call]  # as above


def _listener(app: SlackApp) -> Callable[[AsyncBaseSocketModeClient, SocketModeRequest], Awaitable[None]]:
    async def take_in(client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        """What Bolt answers with 200 is acknowledged."""
        answer = await run_async_bolt_app(app.bolt, request)
        await send_async_response(client, request, answer, time())

    return take_in
