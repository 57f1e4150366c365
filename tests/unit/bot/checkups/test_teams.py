from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jwt
import pytest
from aiohttp import web

from adapters.channels.teams.app import MESSAGES_PATH
from adapters.channels.teams.config import Endpoints
from bot.checkups.finding import Finding
from bot.checkups.teams import TeamsCheckup
from bot.settings import Settings
from tests.fakes.slack.server import serving
from tests.fakes.teams.bot import running_bot
from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, teams_stand_in
from tests.scenario.conftest import settings_over

BOT_SCOPE, GRAPH_SCOPE = "https://api.botframework.com", "https://graph.microsoft.com"


@dataclass(slots=True, kw_only=True)
class Microsoft:
    """Entra ID and the published keys. `claims` change what its tokens say, by their audience."""

    url: str = ""
    password: str = PASSWORD
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)
    roles: tuple[str, ...] = ()
    endorsements: tuple[str, ...] = ("msteams",)

    def application(self) -> web.Application:
        """All of it."""
        app = web.Application()
        app.router.add_post("/{tenant}/token", self._token)
        app.router.add_get("/metadata", self._metadata)
        app.router.add_get("/keys", self._keys)
        return app

    def endpoints(self) -> Endpoints:
        """Where it is."""
        return Endpoints(metadata_url=f"{self.url}/metadata", token_url=f"{self.url}/{{tenant}}/token")

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        if request.match_info["tenant"] != TENANT or form["client_id"] != APP_ID:
            return web.json_response({"error": "unauthorized_client"}, status=400)
        if form["client_secret"] != self.password:
            return web.json_response({"error": "invalid_client"}, status=401)
        audience = str(form["scope"]).removesuffix("/.default")
        said = {"aud": audience, "appid": APP_ID, "tid": TENANT, "roles": list(self.roles)}
        token = jwt.encode({**said, **self.claims.get(audience, {})}, "a key of thirty-two bytes or more")
        return web.json_response({"access_token": token, "expires_in": 3599})

    async def _metadata(self, _request: web.Request) -> web.Response:
        return web.json_response({"jwks_uri": f"{self.url}/keys"})

    async def _keys(self, _request: web.Request) -> web.Response:
        return web.json_response({"keys": [{"kid": "1", "endorsements": list(self.endorsements)}, {"kid": "2"}]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A running bot at an address, with its Microsoft."""

    microsoft: Microsoft
    url: str
    folder: Path

    def settings(self, **changes: Any) -> Settings:
        """The bot's settings, and what to change in them."""
        given = {
            "teams_app_id": APP_ID,
            "teams_app_password": PASSWORD,
            "teams_tenant_id": TENANT,
            "public_base_url": self.url,
            **changes,
        }
        return settings_over("postgresql://nowhere", "redis://nowhere", {}, self.folder, **given)

    async def findings(self, *, names_groups: bool = False, **changes: Any) -> dict[str, Finding]:
        """What doctor finds, by name."""
        checkup = TeamsCheckup(
            settings=self.settings(**changes), names_groups=names_groups, endpoints=self.microsoft.endpoints()
        )
        return {finding.name: finding async for finding in checkup.findings()}


def ill(found: dict[str, Finding]) -> dict[str, str]:
    return {name: finding.health.detail for name, finding in found.items() if not finding.health.ok}


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    microsoft = Microsoft()
    async with teams_stand_in() as teams, running_bot(teams) as bot, serving(microsoft.application()) as url:
        microsoft.url = url
        yield Site(microsoft=microsoft, url=bot.people.bot_url.removesuffix(MESSAGES_PATH), folder=tmp_path)


async def test_a_bot_that_is_well_has_its_credentials_keys_and_endpoint_checked(site: Site) -> None:
    found = await site.findings()
    assert ill(found) == {}
    assert list(found) == ["teams credentials", "teams signing keys", "teams endpoint"]
    assert found["teams credentials"].health.detail == f"a token for {BOT_SCOPE}"
    assert "1 of 2 keys" in found["teams signing keys"].health.detail


async def test_a_wrong_secret_and_a_wrong_tenant_are_told_apart(site: Site) -> None:
    found = await site.findings(teams_app_password="expired")
    assert "client secret" in found["teams credentials"].fix
    found = await site.findings(teams_tenant_id="another")
    assert "az ad sp create" in found["teams credentials"].fix


async def test_a_token_for_somebody_else_is_found(site: Site) -> None:
    site.microsoft.claims[BOT_SCOPE] = {"aud": "https://example.com"}
    assert "is for https://example.com" in ill(await site.findings())["teams credentials"]
    site.microsoft.claims[BOT_SCOPE] = {"appid": "another"}
    assert ill(await site.findings()) == {"teams credentials": "the token is another app's"}
    site.microsoft.claims[BOT_SCOPE] = {"tid": "another"}
    assert ill(await site.findings()) == {"teams credentials": "the token is of another tenant"}


async def test_keys_that_are_not_for_teams_or_out_of_reach_are_found(site: Site) -> None:
    site.microsoft.endorsements = ("webchat",)
    assert ill(await site.findings()) == {"teams signing keys": "0 of 2 keys are for Teams"}
    site.microsoft.url += "/nowhere"
    assert "ValueError" in ill(await site.findings())["teams signing keys"]


async def test_an_endpoint_out_of_reach_elsewhere_or_unguarded_is_found(site: Site) -> None:
    assert "PUBLIC_BASE_URL is empty" in ill(await site.findings(public_base_url=""))["teams endpoint"]
    assert "not reached" in ill(await site.findings(public_base_url="http://127.0.0.1:1"))["teams endpoint"]
    assert "answers 404" in ill(await site.findings(public_base_url=site.microsoft.url))["teams endpoint"]

    async def careless(_request: web.Request) -> web.Response:
        return web.Response(status=201)

    app = web.Application()
    app.router.add_post(MESSAGES_PATH, careless)
    async with serving(app) as url:
        assert "anybody's word" in ill(await site.findings(public_base_url=url))["teams endpoint"]


async def test_graph_is_asked_where_the_policy_names_groups_or_files_go_there(site: Site) -> None:
    found = await site.findings(names_groups=True)
    assert ill(found) == {"teams graph": "missing GroupMember.Read.All, User.Read.All"}
    assert "admin consent" in found["teams graph"].fix
    site.microsoft.roles = ("User.Read.All", "GroupMember.Read.All")
    assert ill(await site.findings(names_groups=True)) == {}
    assert ill(await site.findings(teams_files_by_graph=True)) == {"teams graph": "missing Files.ReadWrite.All"}
    site.microsoft.roles = ("Sites.ReadWrite.All",)
    assert ill(await site.findings(teams_files_by_graph=True)) == {}


async def test_half_a_configuration_and_none_are_told_apart(site: Site) -> None:
    assert "TEAMS_APP_PASSWORD" in ill(await site.findings(teams_app_password=None))["teams"]
    off = await site.findings(teams_app_id="")
    assert [finding.health.detail for finding in off.values()] == ["off"]
