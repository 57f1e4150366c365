"""The demo as a local Teams sees it: its people in Microsoft's Agents Playground, and a bot that believes them."""

from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Final

import yaml
from pydantic import SecretStr

from bot.settings import Settings

TENANT: Final = "00000000-0000-0000-0000-00000000d370"
PEOPLE_FILE: Final = ".m365agentsplayground.yml"
HOST: Final = "127.0.0.1"

PEOPLE: Final = (
    ("Ana", "Analyst", "analyst", "00000000-0000-0000-0000-000000000a01"),
    ("Victor", "Viewer", "viewer", "00000000-0000-0000-0000-000000000a02"),
    ("Fiona", "Finance", "finance_manager", "00000000-0000-0000-0000-000000000a03"),
    ("Борис", "Закупкин", "buyer", "00000000-0000-0000-0000-000000000a04"),
    ("Ada", "Admin", "admin", "00000000-0000-0000-0000-000000000a05"),
    ("Stan", "Stranger", "stranger", "00000000-0000-0000-0000-000000000a06"),
)
"""Given name, family name, id in the demo's policy, object id in the playground. The first is who writes; the last is
nobody the policy knows. The playground wants five besides the writer.
"""


def playground_settings(settings: Settings, port: int) -> Settings:
    """The same product, on this machine alone, with a Teams that sends no credentials and nothing else.

    Without them anybody who reaches the address is believed: the unsafe switch is set here by name, and the address is
    a loopback one whatever the environment says.
    """
    http = settings.http.model_copy(
        update={
            "host": HOST,
            "port": port,
            "public_base_url": f"http://localhost:{port}",
            "link_signing_secret": SecretStr(token_hex(32)),
        }
    )
    teams = settings.teams.model_copy(
        update={"teams_app_id": "", "teams_allowed_tenants": TENANT, "unsafe_teams_without_credentials": True}
    )
    slack = settings.slack.model_copy(update={"slack_bot_token": None, "slack_client_id": ""})
    analyst = settings.analyst.model_copy(update={"policy_file": None})
    return replace(settings, http=http, teams=teams, slack=slack, analyst=analyst)


def playground_people() -> str:
    """The playground's own file: the demo's people in a personal chat, a group chat and a channel."""
    people = [_person(given, family, name, object_id) for given, family, name, object_id in PEOPLE]
    told = {
        "version": "0.1.0",
        "tenantId": TENANT,
        "bot": {"id": "countersign", "name": "Countersign"},
        "currentUser": people[0],
        "users": people[1:],
        "personalChat": {"id": "personal-chat-id"},
        "groupChat": {"id": "group-chat-id", "name": "Group Chat"},
        "team": {
            "id": "team-id",
            "name": "Sales",
            "aadGroupId": "00000000-0000-0000-0000-000000000b01",
            "channels": [{"id": "channel-reports-id", "name": "Reports"}],
        },
    }
    return yaml.safe_dump(told, sort_keys=False, allow_unicode=True)


def write_people(folder: Path) -> Path:
    """Write the playground's file into the folder: the playground is started there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / PEOPLE_FILE
    path.write_text(playground_people(), encoding="utf-8")
    return path


def _person(given: str, family: str, name: str, object_id: str) -> dict[str, str]:
    return {
        "id": name,
        "name": f"{given} {family}",
        # The playground spells it so.
        "userPrincipleName": f"{name}@example.com",
        "aadObjectId": object_id,
        "givenName": given,
        "surname": family,
        "email": f"{name}@example.com",
    }
