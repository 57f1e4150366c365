import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from adapters.channels.slack.app import SlackApp
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.socket_mode import create_socket_mode
from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.actions import encode_action
from cards.errors import DeliveryRefused
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import APP_TOKEN, Json, Workspace
from tests.unit.adapters.channels.slack.conftest import Inbox


@pytest.fixture
async def socket(app: SlackApp, clients: SlackClients, server: SlackServer) -> AsyncIterator[web.WebSocketResponse]:
    async with create_socket_mode(app, APP_TOKEN, clients):
        yield await server.sockets.get()


def _envelope(kind: str, number: int, payload: Json) -> str:
    return json.dumps({"envelope_id": f"e{number}", "type": kind, "payload": payload, "accepts_response_payload": True})


async def test_an_event_is_acknowledged_once_it_is_stored(
    socket: web.WebSocketResponse, server: SlackServer, inbox: Inbox
) -> None:
    await socket.send_str(_envelope("events_api", 1, sample("app_mention")))
    assert (await server.acknowledged.get())["envelope_id"] == "e1"
    assert [turn.text for turn in inbox.turns] == ["approval rate by channel last month"]


async def test_a_click_and_a_command_arrive_too(
    socket: web.WebSocketResponse, server: SlackServer, inbox: Inbox
) -> None:
    value = encode_action(CardAction(verb="approve", run=RunId("7F3K")))
    await socket.send_str(_envelope("interactive", 1, sample("block_actions", actions__0__value=value)))
    await server.acknowledged.get()
    await socket.send_str(_envelope("slash_commands", 2, sample("slash_command", text="")))
    answered = await server.acknowledged.get()
    assert [turn.kind for turn in inbox.turns] == ["decision"]
    assert answered["payload"]["text"] == say("es", "slack.command_empty", command="/ask")


async def test_what_could_not_be_stored_is_not_acknowledged(
    socket: web.WebSocketResponse, server: SlackServer, inbox: Inbox
) -> None:
    inbox.is_down = True
    await socket.send_str(_envelope("events_api", 1, sample("app_mention")))
    inbox_back = asyncio.create_task(server.acknowledged.get())
    await asyncio.sleep(0.3)
    inbox.is_down = False
    await socket.send_str(_envelope("events_api", 2, sample("app_mention")))
    assert (await inbox_back)["envelope_id"] == "e2"


async def test_a_wrong_app_token_is_refused(app: SlackApp, clients: SlackClients, server: SlackServer) -> None:
    with pytest.raises(DeliveryRefused, match=r"apps.connections.open: invalid_auth"):
        async with create_socket_mode(app, "xapp-other", clients):
            pass


async def test_an_address_whose_ticket_has_ended_is_replaced_by_another(
    app: SlackApp, clients: SlackClients, server: SlackServer, workspace: Workspace
) -> None:
    server.dead_addresses = 1
    async with create_socket_mode(app, APP_TOKEN, clients, ping_seconds=0.05, address_seconds=0.2):
        await server.sockets.get()
    assert len(workspace.called("apps.connections.open")) > 1


async def test_a_connection_that_slack_ends_is_followed_by_another(
    app: SlackApp, clients: SlackClients, server: SlackServer, inbox: Inbox
) -> None:
    async with create_socket_mode(app, APP_TOKEN, clients, ping_seconds=0.05):
        await (await server.sockets.get()).close()
        again = await server.sockets.get()
        await again.send_str(json.dumps({"type": "disconnect", "reason": "refresh_requested"}))
        third = await server.sockets.get()
        await third.send_str(_envelope("events_api", 1, sample("app_mention")))
        assert (await server.acknowledged.get())["envelope_id"] == "e1"
    assert len(inbox.turns) == 1
