"""The adapter as the product runs it, with a product that writes down what it received."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.channels.teams.app import MESSAGES_PATH, create_teams_app, create_teams_channel
from adapters.channels.teams.outbound import TeamsChannel
from adapters.channels.teams.surfaces import Surfaces
from agent.errors import StoreUnavailable
from agent.values.identity import RunId, ThreadKey
from agent.values.turn import Place, Turn
from cards.elements import Acknowledgement
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryArtifactStore
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import TeamsClient

CLOCK = FrozenClock()


@dataclass(kw_only=True)
class Product:
    """Receives turns. `says` is what it acknowledges clicks with."""

    turns: list[Turn] = field(default_factory=list)
    says: Acknowledgement = field(default_factory=Acknowledgement)
    is_down: bool = False
    followed: set[ThreadKey] = field(default_factory=set)

    async def receive(self, turn: Turn) -> Acknowledgement:
        """The product's intake."""
        if self.is_down:
            raise StoreUnavailable("connection refused")
        self.turns.append(turn)
        return self.says

    async def follows(self, thread: ThreadKey) -> bool:
        """Whether the thread is one of ours."""
        return thread in self.followed

    @property
    def turn(self) -> Turn:
        """The only turn there was."""
        (turn,) = self.turns
        return turn

    @property
    def place(self) -> Place:
        """Where the newest turn is answered."""
        return Place(thread=self.turns[-1].thread, address=self.turns[-1].address)


@dataclass(kw_only=True)
class RunningBot:
    """A bot that listens, people who talk to it, and what it keeps."""

    people: TeamsClient
    product: Product
    channel: TeamsChannel
    files: InMemoryArtifactStore


def link_for(run: RunId, key: str) -> str:
    """A download link."""
    return f"https://bot.example/files/{run}-{key}"


@asynccontextmanager
async def running_bot(
    teams: TeamsStandIn, *, has_links: bool = True, surfaces: Surfaces | None = None, **changes: Any
) -> AsyncIterator[RunningBot]:
    """A bot in front of that Teams; `changes` are fields of its configuration."""
    config = teams.config(**changes)
    product, files = Product(), InMemoryArtifactStore(CLOCK, timedelta(days=7))
    channel = create_teams_channel(config, link_for if has_links else None)
    app = create_teams_app(config, channel, product.receive, files, product.follows, CLOCK, surfaces)
    http = web.Application()
    http.add_routes(app.routes())
    server = TestServer(http)
    await server.start_server()
    try:
        people = TeamsClient(teams=teams, bot_url=str(server.make_url(MESSAGES_PATH)))
        yield RunningBot(people=people, product=product, channel=channel, files=files)
    finally:
        await channel.close()
        await server.close()
