from pathlib import Path

from cryptography.fernet import Fernet
from slack_sdk.oauth.installation_store import Installation

from adapters.channels.slack.oauth.seals import Seals
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.migrate import migrate
from adapters.control.postgres.slack_installations import PostgresSlackInstallations
from bot.checkups.slack import SlackCheckup
from tests.fakes.slack.consent import CLIENT_ID, CLIENT_SECRET
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import APP_TOKEN, Workspace
from tests.scenario.conftest import settings_over

KEY, LOST = Fernet.generate_key().decode(), Fernet.generate_key().decode()


async def test_each_installation_is_asked_and_one_whose_key_is_lost_is_found(
    fresh_database: str, tmp_path: Path
) -> None:
    await migrate(fresh_database)
    pool = create_pool(fresh_database)
    rows = PostgresSlackInstallations(pool)
    async with slack_server(Workspace(team="T0NORTH", token="xoxb-north")) as slack:
        for team, key, token in (
            ("T0NORTH", KEY, "xoxb-north"),
            ("T0SOUTH", LOST, "xoxb-south"),
            ("T0WEST", KEY, "xoxb-removed"),
        ):
            await rows.put(team, Seals((key,)).seal(Installation(team_id=team, user_id="U1", bot_token=token)))
        settings = settings_over(
            fresh_database,
            "redis://nowhere",
            {},
            tmp_path,
            slack_client_id=CLIENT_ID,
            slack_client_secret=CLIENT_SECRET,
            slack_token_keys=KEY,
            slack_allowed_workspaces="T0NORTH",
            slack_app_token=APP_TOKEN,
            slack_api_url=slack.api,
            public_base_url="https://127.0.0.1:1",
            warehouse_urls={"payments": "postgresql://nowhere"},
        )
        found = {each.name: each async for each in SlackCheckup(settings=settings, names_groups=True).findings()}
    await pool.close()
    assert found["slack installations"].health.detail == "T0NORTH, T0SOUTH, T0WEST"
    assert {name: each.health.detail for name, each in found.items() if not each.health.ok} == {
        "slack install page": "https://127.0.0.1:1/slack/install is not reached: ClientConnectorError",
        "slack T0SOUTH": "no key of SLACK_TOKEN_KEYS opens it",
        "slack T0WEST": "auth.test: invalid_auth",
    }
