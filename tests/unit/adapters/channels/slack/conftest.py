"""The workspace and the bot, each on a port of its own."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import ClientSession, web

from adapters.channels.slack.app import SlackApp, create_slack_app
from adapters.channels.slack.clients import SlackClients, slack_clients
from adapters.channels.slack.outbound import SlackChannel
from agent.errors import StoreUnavailable
from agent.values.identity import ThreadKey
from agent.values.turn import Turn
from cards.elements import Acknowledgement
from tests.fakes.clock import FrozenClock
from tests.fakes.slack.deliveries import Deliveries
from tests.fakes.slack.server import SlackServer, serving, slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"


@dataclass(slots=True)
class Inbox:
    """What the product would store: turns, in the order they came."""

    turns: list[Turn] = field(default_factory=list)
    followed: set[ThreadKey] = field(default_factory=set)
    notice: str = ""
    is_down: bool = False
    delay: float = 0.0

    async def receive(self, turn: Turn) -> Acknowledgement:
        await asyncio.sleep(self.delay)
        if self.is_down:
            raise StoreUnavailable("connection refused")
        self.turns.append(turn)
        return Acknowledgement(notice=self.notice)

    async def follows(self, thread: ThreadKey) -> bool:
        if self.is_down:
            raise StoreUnavailable("connection refused")
        return thread in self.followed


@pytest.fixture
def workspace() -> Workspace:
    held = Workspace()
    held.add_user("U0ANA", name="Ana", email="ana@home.example", locale="es-LA")
    held.add_user("U0BOB", name="Bob", email="bob@home.example", locale="fr-FR")
    held.add_user("U0EVE", name="Eve", email="ana@home.example", team_id="T0OTHER", is_stranger=True)
    held.add_conversation("C0SALES", "U0ANA", "U0BOB")
    held.add_conversation("C0SHARED", "U0ANA", "U0EVE")
    held.add_conversation("D0ANA", "U0ANA")
    held.add_conversation("C0ALONE", "U0ANA", with_bot=False)
    held.say("C0SALES", {"user": "U0ANA", "text": "approval rate", "ts": "1793545100.000100"})
    return held


@pytest.fixture
async def server(workspace: Workspace) -> AsyncIterator[SlackServer]:
    async with slack_server(workspace) as running:
        yield running


@pytest.fixture
async def clients(server: SlackServer) -> AsyncIterator[SlackClients]:
    async with slack_clients(BOT_TOKEN, server.api, timeout_seconds=1) as made:
        yield made


@pytest.fixture
def channel(clients: SlackClients) -> SlackChannel:
    return SlackChannel(clients, pace_seconds=0)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
async def app(clients: SlackClients, inbox: Inbox) -> AsyncIterator[SlackApp]:
    made = create_slack_app(clients, SECRET, inbox.receive, inbox.follows, FrozenClock())
    yield made
    await made.close()


@pytest.fixture
async def slack(app: SlackApp) -> AsyncIterator[Deliveries]:
    site = web.Application()
    site.add_routes(app.routes())
    async with serving(site) as url, ClientSession() as session:
        yield Deliveries(session=session, url=url, secret=SECRET)
