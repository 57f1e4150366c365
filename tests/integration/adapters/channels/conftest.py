"""A distributed Slack app over a migrated control database, in front of two workspaces."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from aiohttp import ClientSession, DummyCookieJar, web
from cryptography.fernet import Fernet
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.channels.slack.clients import slack_session
from adapters.channels.slack.oauth.client import app_client
from adapters.channels.slack.oauth.config import OAuthConfig
from adapters.channels.slack.oauth.flow import create_install_routes
from adapters.channels.slack.oauth.installations import StoredInstallations
from adapters.channels.slack.oauth.seals import Seals
from adapters.channels.slack.oauth.states import StoredStates
from adapters.channels.slack.oauth.workspaces import Workspaces
from adapters.channels.slack.scopes import BOT_SCOPES
from adapters.control.postgres.connections import Pool, connected, create_pool
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.slack_installations import PostgresSlackInstallations
from bot.embedded import EmbeddedServices
from tests.control_databases import own_control_database
from tests.fakes.clock import FrozenClock
from tests.fakes.slack.consent import CLIENT_ID, CLIENT_SECRET
from tests.fakes.slack.server import SlackServer, serving, slack_server
from tests.fakes.slack.workspace import Workspace

FIRST, SECOND = (Fernet.generate_key().decode() for _ in range(2))


@dataclass(slots=True, kw_only=True)
class App:
    """One process of a distributed app. `seconds` is its clock for what it keeps in memory."""

    rows: PostgresSlackInstallations
    installations: StoredInstallations
    workspaces: Workspaces
    clock: FrozenClock
    url: str
    seconds: list[float]


@pytest.fixture(scope="module")
def control(services: EmbeddedServices) -> Iterator[str]:
    """One database for a module; each test finds it empty of installations."""
    with own_control_database(services) as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture
async def pool(control: str) -> AsyncIterator[Pool]:
    made = create_pool(control, patience=1)
    async with connected(made) as connection:
        await connection.execute("TRUNCATE countersign.slack_installations, countersign.slack_oauth_states CASCADE")
    yield made
    await made.close()


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    north = Workspace(team="T0NORTH", token="xoxb-north")
    south = Workspace(team="T0SOUTH", token="xoxb-south", enterprise="E0ACME")
    async with slack_server(north, south) as running:
        yield running


@pytest.fixture
async def app(pool: Pool, server: SlackServer) -> AsyncIterator[App]:
    rows, clock, seconds = PostgresSlackInstallations(pool), FrozenClock(), [0.0]
    async with slack_session(timeout_seconds=2) as session:
        own = app_client(session, server.api)
        rotator = AsyncTokenRotator(client_id=CLIENT_ID, client_secret=CLIENT_SECRET, client=own)
        installations = StoredInstallations(rows, Seals((FIRST,)), rotator)
        workspaces = Workspaces(installations, rows, session, server.api, lambda: seconds[0])
        routes = create_install_routes(config(), own, installations, StoredStates(rows, clock), workspaces, "en")
        site = web.Application()
        site.add_routes(routes.routes())
        async with serving(site) as url:
            yield App(
                rows=rows, installations=installations, workspaces=workspaces, clock=clock, url=url, seconds=seconds
            )


@pytest.fixture
async def browser() -> AsyncIterator[ClientSession]:
    """A person's browser without cookies of its own: the SDK marks its cookie for https."""
    async with ClientSession(cookie_jar=DummyCookieJar()) as session:
        yield session


def config(*allowed: str) -> OAuthConfig:
    """The app's own configuration."""
    return OAuthConfig(
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
        keys=(FIRST,),
        public_base_url="https://bot.example",
        scopes=BOT_SCOPES,
        allowed=frozenset(allowed or ("T0NORTH", "E0ACME")),
    )
