from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.channels.slack.app import create_slack_app
from adapters.channels.slack.clients import slack_clients
from adapters.channels.slack.scopes import BOT_SCOPES, USER_GROUPS
from agent.values.identity import ThreadKey
from agent.values.turn import Turn
from bot.checkups.finding import Finding
from bot.checkups.slack import SlackCheckup
from bot.commands.doctor import checked
from bot.settings import Settings
from cards.elements import Acknowledgement
from tests.fakes.clock import FrozenClock
from tests.fakes.slack.server import SlackServer, serving, slack_server
from tests.fakes.slack.workspace import APP_TOKEN, BOT_TOKEN, Trouble, Workspace
from tests.scenario.conftest import settings_over

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A running bot at an address, with its Slack."""

    slack: SlackServer
    url: str
    folder: Path

    def settings(self, **changes: Any) -> Settings:
        """The bot's settings, and what to change in them."""
        given = {
            "slack_bot_token": BOT_TOKEN,
            "slack_signing_secret": SECRET,
            "slack_api_url": self.slack.api,
            "public_base_url": self.url,
            **changes,
        }
        return settings_over("postgresql://nowhere", "redis://nowhere", {}, self.folder, **given)

    async def findings(self, *, names_groups: bool = True, **changes: Any) -> dict[str, Finding]:
        """What doctor finds, by name."""
        checkup = SlackCheckup(settings=self.settings(**changes), names_groups=names_groups)
        return {finding.name: finding async for finding in checkup.findings()}


def ill(found: dict[str, Finding]) -> dict[str, str]:
    return {name: finding.health.detail for name, finding in found.items() if not finding.health.ok}


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with slack_server(Workspace()) as slack, slack_clients(BOT_TOKEN, slack.api) as clients:
        app = web.Application()
        app.add_routes(create_slack_app(clients, SECRET, receive, follows, FrozenClock()).routes())
        async with serving(app) as url:
            yield Site(slack=slack, url=url, folder=tmp_path)


async def receive(_turn: Turn) -> Acknowledgement:
    raise AssertionError("doctor asks nothing of the product")


async def follows(_thread: ThreadKey) -> bool:
    return False


async def test_a_bot_that_is_well_has_its_token_scopes_bot_clock_and_address_checked(site: Site) -> None:
    found = await site.findings()
    assert ill(found) == {}
    assert list(found) == [
        "slack token",
        "slack token: scopes",
        "slack token: bot",
        "slack token: clock",
        "slack events address",
    ]
    assert "T0HOME" in found["slack token"].health.detail
    assert "A0APP" in found["slack token: bot"].health.detail


async def test_a_token_that_slack_does_not_take_is_said_with_what_to_do(site: Site) -> None:
    found = await site.findings(slack_bot_token="xoxb-revoked")
    assert ill(found) == {"slack token": "auth.test: invalid_auth"}
    assert "Reinstall" in found["slack token"].fix


async def test_slack_out_of_reach_is_no_fault_of_the_token(site: Site) -> None:
    site.slack.workspace.trouble("auth.test", Trouble(status=503))
    found = await site.findings()
    assert "slack.com" in found["slack token"].fix


async def test_a_missing_scope_is_named(site: Site) -> None:
    site.slack.workspace.scopes = tuple(scope for scope in BOT_SCOPES if scope != "files:write")
    assert ill(await site.findings()) == {"slack token: scopes": "missing files:write"}


async def test_the_scope_of_user_groups_is_needed_only_where_the_policy_names_some(site: Site) -> None:
    site.slack.workspace.scopes = tuple(scope for scope in BOT_SCOPES if scope != USER_GROUPS)
    assert ill(await site.findings(names_groups=False)) == {}
    assert ill(await site.findings()) == {"slack token: scopes": f"missing {USER_GROUPS}"}


async def test_the_policy_tells_whether_groups_are_named(site: Site, tmp_path: Path) -> None:
    site.slack.workspace.scopes = tuple(scope for scope in BOT_SCOPES if scope != USER_GROUPS)
    policy = tmp_path / "groups.yaml"
    policy.write_text(
        "version: 1\nname: groups\nroles:\n  analyst: {domains: [payments]}\npeople: []\n"
        "groups:\n  sales: {name: Sales, roles: [analyst], slack: [{team: T0HOME, group: S0SALES}]}\n",
        encoding="utf-8",
    )
    found = {finding.name: finding for finding in await checked(site.settings(policy_file=policy), "slack")}
    assert ill(found) == {"slack token: scopes": f"missing {USER_GROUPS}"}


async def test_another_signing_secret_than_the_running_services_is_found(site: Site) -> None:
    found = await site.findings(slack_signing_secret="another")
    assert "another SLACK_SIGNING_SECRET" in ill(found)["slack events address"]


async def test_an_address_that_leads_nowhere_or_elsewhere_is_found(site: Site) -> None:
    assert "not reached" in ill(await site.findings(public_base_url="http://127.0.0.1:1"))["slack events address"]
    elsewhere = await site.findings(public_base_url=site.slack.url)
    assert "404: nothing of Countersign is served there" in ill(elsewhere)["slack events address"]


async def test_an_address_that_takes_whatever_is_sent_is_found(site: Site) -> None:
    async def echo(request: web.Request) -> web.Response:
        return web.json_response(await request.json())

    careless = web.Application()
    careless.router.add_post("/slack/events", echo)
    async with serving(careless) as url:
        found = await site.findings(public_base_url=url)
    assert "200 to a request with a forged signature" in ill(found)["slack events address"]


async def test_in_socket_mode_the_app_token_is_tried_instead_of_the_address(site: Site) -> None:
    found = await site.findings(slack_app_token=APP_TOKEN, slack_signing_secret=None, public_base_url="")
    assert (ill(found), "slack events address" in found) == ({}, False)
    wrong = await site.findings(slack_app_token="xapp-wrong", public_base_url="")
    assert ill(wrong) == {"slack socket mode": "apps.connections.open: invalid_auth"}
    assert "connections:write" in wrong["slack socket mode"].fix


async def test_half_a_configuration_is_said_before_anything_is_asked(site: Site) -> None:
    assert ill(await site.findings(slack_signing_secret=None)) == {"slack": "no signing secret"}
    both = await site.findings(slack_client_id="1.2")
    assert ill(both) == {"slack": "one workspace and several"}
    several = ill(await site.findings(slack_bot_token=None, slack_client_id="1.2"))
    assert "SLACK_TOKEN_KEYS" in several["slack"]
    assert ill(await site.findings(slack_bot_token=None)) == {}
    assert site.slack.workspace.calls == []
