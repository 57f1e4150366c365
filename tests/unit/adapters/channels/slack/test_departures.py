from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession, web

from adapters.channels.slack.app import create_slack_app
from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.departures import Departure, read_departure
from agent.errors import StoreUnavailable
from tests.fakes.clock import FrozenClock
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.server import serving
from tests.fakes.slack.workspace import Workspace
from tests.unit.adapters.channels.slack.conftest import SECRET, Inbox

UNINSTALLED = {"type": "app_uninstalled"}


class Leaving:
    """What the product hears of departures."""

    def __init__(self) -> None:
        self.heard: list[Departure] = []
        self.is_down = False

    async def left(self, departure: Departure) -> None:
        if self.is_down:
            raise StoreUnavailable("connection refused")
        self.heard.append(departure)


@pytest.fixture
def leaving() -> Leaving:
    return Leaving()


@pytest.fixture
async def removed(clients: SlackClients, inbox: Inbox, leaving: Leaving) -> AsyncIterator[Deliveries]:
    app = create_slack_app(clients, SECRET, inbox.receive, inbox.follows, FrozenClock(), left=leaving.left)
    site = web.Application()
    site.add_routes(app.routes())
    async with serving(site) as url, ClientSession() as session:
        yield Deliveries(session=session, url=url, secret=SECRET)
    await app.close()


async def test_a_workspace_that_removes_the_app_is_told_to_the_product_without_asking_slack(
    removed: Deliveries, leaving: Leaving, workspace: Workspace
) -> None:
    assert (await removed.event(sample("app_mention", event=UNINSTALLED))).status == 200
    assert [(departure.team, departure.whole) for departure in leaving.heard] == [("T0HOME", False)]
    assert workspace.calls == []


async def test_a_departure_that_could_not_be_handled_is_told_again(removed: Deliveries, leaving: Leaving) -> None:
    leaving.is_down = True
    assert (await removed.event(sample("app_mention", event=UNINSTALLED))).status == 503
    leaving.is_down = False
    assert (await removed.event(sample("app_mention", event=UNINSTALLED), retry=1)).status == 200
    assert len(leaving.heard) == 1


@pytest.mark.parametrize(
    "event",
    [
        {"type": "tokens_revoked", "tokens": {"oauth": ["U0ANA"], "bot": []}},
        {"type": "tokens_revoked"},
        {"type": "app_mention", "tokens": {"bot": ["U0BOT"]}},
    ],
)
def test_what_ends_no_installation_is_no_departure(event: dict[str, Any]) -> None:
    assert read_departure(sample("app_mention", event=event)) is None


def test_the_bots_token_that_is_taken_back_is_a_departure() -> None:
    body = sample("app_mention", event={"type": "tokens_revoked", "tokens": {"bot": ["U0BOT"]}}, enterprise_id="E0ACME")
    departure = read_departure(body)
    assert departure == Departure(team="T0HOME", enterprise="E0ACME", whole=False, at=1793545200)
