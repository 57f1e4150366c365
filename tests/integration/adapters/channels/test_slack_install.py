import time
from dataclasses import dataclass
from datetime import timedelta
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import ClientSession
from slack_sdk.oauth.installation_store import Installation

from adapters.channels.slack.checkup import leads_to_consent
from adapters.channels.slack.departures import read_departure
from adapters.channels.slack.oauth.config import OAuthConfig, SlackConfigInvalid, check_oauth_config
from adapters.channels.slack.oauth.departing import EndedInstallations
from adapters.channels.slack.oauth.workspaces import Named
from adapters.channels.slack.scopes import BOT_SCOPES
from adapters.control.postgres.connections import Pool, connected
from agent.wording.texts import say
from cards.errors import DeliveryRefused
from tests.fakes.slack.consent import CLIENT_ID
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.server import SlackServer
from tests.integration.adapters.channels.conftest import App, config


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """An installation that a browser began."""

    state: str
    cookie: str


async def begin(browser: ClientSession, app: App) -> Begun:
    async with browser.get(f"{app.url}/slack/install", allow_redirects=False) as answer:
        assert answer.status == 302
        asked = urlsplit(answer.headers["Location"])
        query = parse_qs(asked.query)
        assert (asked.scheme, asked.netloc, asked.path) == ("https", "slack.com", "/oauth/v2/authorize")
        assert query["scope"] == [",".join(BOT_SCOPES)]
        assert query["redirect_uri"] == ["https://bot.example/slack/oauth_redirect"]
        return Begun(state=query["state"][0], cookie=answer.headers["Set-Cookie"].partition(";")[0])


async def come_back(browser: ClientSession, app: App, begun: Begun, code: str) -> tuple[int, str]:
    url = f"{app.url}/slack/oauth_redirect"
    sent = {"code": code, "state": begun.state}
    async with browser.get(url, params=sent, headers={"Cookie": begun.cookie}) as answer:
        return answer.status, await answer.text()


async def install(browser: ClientSession, app: App, code: str) -> tuple[int, str]:
    return await come_back(browser, app, await begin(browser, app), code)


async def test_a_workspace_that_installs_is_served_with_its_own_token(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    north, south = server.workspaces
    status, shown = await install(browser, app, server.consent.give(north))
    assert (status, escape(say("en", "install.done", name="Team T0NORTH")) in shown) == (200, True)
    assert (await install(browser, app, server.consent.give(south)))[0] == 200
    assert server.consent.redirects == ["https://bot.example/slack/oauth_redirect"] * 2
    found = [await app.workspaces.of_team(team) for team in ("T0NORTH", "T0SOUTH")]
    assert [workspace.clients.once.token for workspace in found] == ["xoxb-north", "xoxb-south"]
    assert found[1].home.enterprise == "E0ACME"


async def test_tokens_lie_encrypted_in_the_database(
    app: App, server: SlackServer, browser: ClientSession, pool: Pool
) -> None:
    await install(browser, app, server.consent.give(server.workspace))
    async with connected(pool) as connection:
        rows = await (await connection.execute("SELECT * FROM countersign.slack_installations")).fetchall()
    assert [row["owner"] for row in rows] == ["T0NORTH"]
    assert b"xoxb" not in bytes(rows[0]["sealed"])


async def test_an_organisations_installation_has_no_team_and_serves_its_workspaces(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    south = server.workspaces[1]
    assert (await install(browser, app, server.consent.give(south, whole=True)))[0] == 200
    assert await app.rows.owners() == ("E0ACME",)
    found = await app.workspaces.of_event(Named(enterprise="E0ACME", team="T0EAST", whole=True))
    assert found is not None
    assert (found.owner, found.home.team, found.clients.once.token) == ("E0ACME", "T0EAST", "xoxb-south")
    # Another process, that only has the thread to go by.
    assert await app.rows.owner_of("T0EAST") == "E0ACME"
    with pytest.raises(DeliveryRefused, match="not installed"):
        await app.workspaces.of_team("T0NEVERSEEN")


async def test_a_state_is_good_once_in_the_browser_that_began_and_for_ten_minutes(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    code, begun = server.consent.give(server.workspace), await begin(browser, app)
    elsewhere = Begun(state=begun.state, cookie="slack-app-oauth-state=another")
    assert (await come_back(browser, app, elsewhere, code))[0] == 400
    assert (await come_back(browser, app, begun, code))[0] == 200
    assert (await come_back(browser, app, begun, server.consent.give(server.workspace)))[0] == 401
    late = await begin(browser, app)
    app.clock.advance(timedelta(minutes=11))
    assert (await come_back(browser, app, late, server.consent.give(server.workspace)))[0] == 401


async def test_a_workspace_that_is_not_on_the_list_is_turned_down_and_its_token_given_back(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    server.workspace.team = "T0FOREIGN"
    status, shown = await install(browser, app, server.consent.give(server.workspace))
    assert (status, escape(say("en", "install.not_admitted")) in shown) == (403, True)
    assert server.consent.revoked == ["T0FOREIGN"]
    assert await app.rows.owners() == ()


async def test_who_cancels_reads_so_and_words_of_the_address_are_not_shown(app: App, browser: ClientSession) -> None:
    async with browser.get(f"{app.url}/slack/oauth_redirect?error=access_denied") as answer:
        assert (answer.status, say("en", "install.cancelled") in await answer.text()) == (200, True)
    async with browser.get(f"{app.url}/slack/oauth_redirect?error=<script>alert(1)</script>") as answer:
        assert (answer.status, "script" in await answer.text()) == (400, False)


async def test_a_code_that_slack_does_not_know_installs_nothing(app: App, browser: ClientSession) -> None:
    assert (await install(browser, app, "made up"))[0] == 401
    assert await app.rows.owners() == ()


async def test_installing_again_replaces_the_token_in_what_holds_it(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    north = server.workspace
    await install(browser, app, server.consent.give(north))
    held = (await app.workspaces.of_team("T0NORTH")).clients
    north.token = "xoxb-north-again"
    await install(browser, app, server.consent.give(north))
    await app.workspaces.of_team("T0NORTH")
    assert held.once.token == held.posting.token == held.repeating.token == "xoxb-north-again"


def test_an_app_that_would_start_unsafe_does_not_start() -> None:
    with pytest.raises(SlackConfigInvalid) as raised:
        check_oauth_config(
            OAuthConfig(client_id="1.2", client_secret="", keys=("no key",), public_base_url="http://x", scopes=())
        )
    for name in ("SLACK_CLIENT_SECRET", "SLACK_TOKEN_KEYS", "PUBLIC_BASE_URL", "SLACK_ALLOWED_WORKSPACES"):
        assert name in raised.value.detail
    check_oauth_config(config())
    assert "a client secret" not in repr(config())


async def test_the_sdks_store_finds_and_forgets_by_its_own_words(app: App) -> None:
    stored = Installation(team_id="T0NORTH", enterprise_id="E0ACME", user_id="U1", bot_token="xoxb-1", bot_id="B1")
    await app.installations.async_save(stored)
    bot = await app.installations.async_find_bot(enterprise_id="E0ACME", team_id="T0NORTH")
    assert bot is not None
    bot.bot_token = "xoxb-2"
    await app.installations.async_save_bot(bot)
    found = await app.installations.async_find_installation(enterprise_id="E0ACME", team_id="T0NORTH")
    assert found is not None
    assert (found.bot_token, found.user_id) == ("xoxb-2", "U1")
    await app.installations.async_delete_all(enterprise_id="E0ACME", team_id="T0NORTH")
    assert await app.installations.async_find_bot(enterprise_id="E0ACME", team_id="T0NORTH") is None


async def test_doctor_follows_the_install_page_to_slacks_consent(app: App, browser: ClientSession) -> None:
    url, back = f"{app.url}/slack/install", config().redirect_uri
    assert (await leads_to_consent(browser, url, CLIENT_ID, back)).ok
    assert not (await leads_to_consent(browser, url, "another.app", back)).ok
    assert not (await leads_to_consent(browser, f"{app.url}/slack/oauth_redirect", CLIENT_ID, back)).ok


async def test_an_organisation_that_removes_the_app_ends_all_its_workspaces(
    app: App, server: SlackServer, browser: ClientSession
) -> None:
    south, told = server.workspaces[1], list[str]()
    await install(browser, app, server.consent.give(south, whole=True))
    for team in ("T0EAST", "T0SOUTH"):
        await app.workspaces.of_event(Named(enterprise="E0ACME", team=team, whole=True))

    async def ended(teams: tuple[str, ...]) -> None:
        told.extend(teams)

    removed = sample("app_mention", team_id=None, enterprise_id="E0ACME", event={"type": "app_uninstalled"})
    removed["authorizations"][0]["is_enterprise_install"] = True
    removed["event_time"] = int(time.time()) - 60
    late = read_departure(removed)
    removed["event_time"] += 60
    departure = read_departure(removed)
    assert departure is not None
    assert late is not None
    desk = EndedInstallations(rows=app.rows, installations=app.installations, workspaces=app.workspaces, ended=ended)
    # Told of a removal before the app was installed again: nothing is to end.
    await desk.left(late)
    assert (told, await app.rows.owners()) == ([], ("E0ACME",))
    await desk.left(departure)
    assert told == ["T0EAST", "T0SOUTH"]
    assert await app.rows.owners() == ()
    assert await app.workspaces.of_event(Named(enterprise="E0ACME", team="T0EAST", whole=True)) is None


async def test_while_the_database_is_away_nothing_is_installed_and_the_browser_reads_so(
    app: App, server: SlackServer, browser: ClientSession, pool: Pool
) -> None:
    begun = await begin(browser, app)
    await pool.close()
    async with browser.get(f"{app.url}/slack/install", allow_redirects=False) as answer:
        assert (answer.status, escape(say("en", "install.later")) in await answer.text()) == (503, True)
    assert (await come_back(browser, app, begun, server.consent.give(server.workspace)))[0] == 503
