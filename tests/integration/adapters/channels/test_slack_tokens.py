import asyncio
import time

import pytest
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.channels.slack.clients import slack_session
from adapters.channels.slack.oauth.client import app_client
from adapters.channels.slack.oauth.installations import StoredInstallations
from adapters.channels.slack.oauth.seals import InstallationUnreadable, Seals
from cards.errors import DeliveryRefused, DeliveryUnavailable
from tests.fakes.slack.consent import CLIENT_ID, CLIENT_SECRET
from tests.fakes.slack.server import SlackServer
from tests.integration.adapters.channels.conftest import FIRST, SECOND, App

HOUR = 3600


def rotating(seconds: int, refresh: str = "xoxe-1-first") -> Installation:
    return Installation(
        team_id="T0NORTH",
        user_id="U1",
        bot_token="xoxe.xoxb-old",
        bot_id="B1",
        bot_refresh_token=refresh,
        bot_token_expires_in=seconds,
    )


async def begin(app: App, server: SlackServer, seconds: int) -> None:
    server.consent.rotates = 12 * HOUR
    server.consent.refreshes["xoxe-1-first"] = server.workspace
    await app.installations.async_save(rotating(seconds))


async def test_a_token_is_renewed_before_it_ends(app: App, server: SlackServer) -> None:
    await begin(app, server, HOUR)
    workspace = await app.workspaces.of_team("T0NORTH")
    assert workspace.clients.once.token == server.workspace.token == "xoxe.xoxb-T0NORTH-1"
    stored = await app.installations.fresh("T0NORTH")
    assert stored is not None
    assert (stored.bot_refresh_token, server.consent.asked) == ("xoxe-1-T0NORTH-1", 1)
    assert stored.bot_token_expires_at is not None
    assert stored.bot_token_expires_at > time.time() + 11 * HOUR


async def test_a_token_that_is_good_for_long_is_left_alone(app: App, server: SlackServer) -> None:
    await begin(app, server, 11 * HOUR)
    assert (await app.workspaces.of_team("T0NORTH")).clients.once.token == "xoxe.xoxb-old"
    assert server.consent.asked == 0


async def test_of_many_that_need_a_new_token_one_fetches_it(app: App, server: SlackServer) -> None:
    await begin(app, server, HOUR)
    found = await asyncio.gather(*(app.installations.fresh("T0NORTH") for _ in range(4)))
    assert {held.bot_token for held in found if held} == {"xoxe.xoxb-T0NORTH-1"}
    assert server.consent.asked == 1


async def test_where_slack_renews_nothing_the_old_token_serves_to_its_end(app: App) -> None:
    await app.installations.async_save(rotating(HOUR, refresh="xoxe-1-gone"))
    held = await app.installations.fresh("T0NORTH")
    assert held is not None
    assert held.bot_token == "xoxe.xoxb-old"
    await app.installations.async_save(rotating(30, refresh="xoxe-1-gone"))
    with pytest.raises(DeliveryRefused, match=r"oauth.v2.access: invalid_refresh_token"):
        await app.installations.fresh("T0NORTH")


async def test_a_token_that_ended_while_slack_is_out_of_reach_is_an_outage(app: App) -> None:
    await app.installations.async_save(rotating(30))
    async with slack_session() as session:
        nowhere = app_client(session, "http://127.0.0.1:1/api/")
        unreachable = AsyncTokenRotator(client_id=CLIENT_ID, client_secret=CLIENT_SECRET, client=nowhere)
        elsewhere = StoredInstallations(app.rows, Seals((FIRST,)), unreachable)
        with pytest.raises(DeliveryUnavailable, match=r"oauth.v2.access"):
            await elsewhere.fresh("T0NORTH")


async def test_keys_are_rotated_by_putting_the_new_one_first(app: App) -> None:
    await app.installations.async_save(rotating(11 * HOUR))
    rotator = AsyncTokenRotator(client_id=CLIENT_ID, client_secret=CLIENT_SECRET)
    both = StoredInstallations(app.rows, Seals((SECOND, FIRST)), rotator)
    await app.rows.put("T0LOST", b"what nobody can open")
    await both.encrypt_again()
    only_new = StoredInstallations(app.rows, Seals((SECOND,)), rotator)
    held = await only_new.fresh("T0NORTH")
    assert held is not None
    assert held.bot_token == "xoxe.xoxb-old"
    with pytest.raises(InstallationUnreadable):
        await app.installations.fresh("T0NORTH")


async def test_another_process_learns_of_an_end_within_seconds(app: App, server: SlackServer) -> None:
    await app.installations.async_save(rotating(11 * HOUR))
    await app.workspaces.of_team("T0NORTH")
    await app.rows.delete("T0NORTH")
    assert (await app.workspaces.of_team("T0NORTH")).owner == "T0NORTH"
    app.seconds[0] += 16
    with pytest.raises(DeliveryRefused, match="not installed"):
        await app.workspaces.of_team("T0NORTH")
