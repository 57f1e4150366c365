from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import ClientSession

from adapters.channels.teams.app import MESSAGES_PATH
from adapters.channels.teams.config import TeamsConfigInvalid
from agent.policy.load import load_policy
from bot.bootstrap import DEMO_POLICY
from bot.demo.playground import PEOPLE, TENANT, playground_settings, write_people
from bot.settings import HttpSettings, Settings
from tests.fakes.teams.connector import TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import buttons
from tests.fakes.teams.posted import Posted
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """The tool: one person at a time, in its personal chat or its channel."""

    bot_url: str
    teams: TeamsStandIn
    people: dict[str, Any]

    async def say(self, text: str) -> None:
        """The current user writes in the personal chat."""
        assert (await self.send({"type": "message", "id": "m1", "text": text}))[0] == 201

    async def press(self, card: Posted, title: str) -> Any:
        """The current user presses a button of a card."""
        button = next(held for held in buttons(card.card) if held["title"] == title)
        action = {"type": "Action.Execute", "verb": button["verb"], "data": button["data"]}
        value = {"type": "invoke", "id": "i1", "name": "adaptiveCard/action", "value": {"action": action}}
        status, answered = await self.send({**value, "replyToId": card.id})
        assert status == 200
        return answered

    async def send(self, activity: dict[str, Any]) -> tuple[int, Any]:
        """An activity as the playground fills it in; it sends no token."""
        user = self.people["currentUser"]
        chat = self.people["personalChat"]["id"]
        whole = {
            "channelId": "msteams",
            "serviceUrl": self.teams.service_url,
            "from": {"id": user["id"], "name": user["name"], "aadObjectId": user["aadObjectId"], "role": "user"},
            "recipient": {**self.people["bot"], "role": "bot"},
            "conversation": {"id": chat, "conversationType": "personal", "tenantId": self.people["tenantId"]},
            "channelData": {"tenant": {"id": self.people["tenantId"]}},
            "locale": "en-US",
            "timestamp": "2026-11-01T15:00:00.000Z",
            **activity,
        }
        async with ClientSession() as session, session.post(self.bot_url + MESSAGES_PATH, json=whole) as answer:
            return answer.status, await answer.json(content_type=None) if answer.content_length else None

    async def card_with(self, title: str) -> Posted:
        """The newest message whose card has such a button."""

        def look() -> Posted | None:
            shown = self.teams.in_conversation(self.people["personalChat"]["id"])
            found = [message for message in shown if title in _titles(message)]
            return found[-1] if found else None

        return await eventually(look, f"a card with {title}")


def _titles(message: Posted) -> list[str]:
    attached = message.activity.get("attachments") or [{}]
    return [str(held.get("title")) for held in buttons(attached[0].get("content"))]


@pytest.fixture
def settings(settings_of: MakeSettings) -> Settings:
    made = playground_settings(settings_of(slack_bot_token="xoxb-of-the-env", teams_app_id="of-the-env"), 3978)
    http: HttpSettings = made.http.model_copy(update={"port": 0})
    return Settings(**{**{name: getattr(made, name) for name in Settings.__dataclass_fields__}, "http": http})


@pytest.fixture
async def playground(settings: Settings, tmp_path: Path) -> AsyncIterator[Playground]:
    people = yaml.safe_load(write_people(tmp_path / "playground").read_text(encoding="utf-8"))
    async with teams_stand_in() as teams:
        teams.is_open = True
        teams.meet(people["personalChat"]["id"], "personal")
        async with running_bot(settings, teams.config().endpoints) as bot:
            yield Playground(bot_url=bot.url, teams=teams, people=people)


async def test_the_demo_answers_the_playgrounds_person_in_a_personal_chat(playground: Playground) -> None:
    await playground.say(QUESTION)
    answered = await playground.press(await playground.card_with("Approve"), "Approve")
    assert answered["type"] == "application/vnd.microsoft.card.adaptive"
    answer = await playground.card_with("Show SQL")
    assert "pproval rate" in str(answer.card)


async def test_the_playgrounds_file_names_the_demos_people_as_the_tool_reads_them(tmp_path: Path) -> None:
    told = yaml.safe_load(write_people(tmp_path).read_text(encoding="utf-8"))
    assert told["tenantId"] == TENANT
    everybody = [told["currentUser"], *told["users"]]
    # The tool wants five people besides the writer, and each id once.
    assert len(told["users"]) == 5
    assert len({person["id"] for person in everybody}) == len(everybody) == len(PEOPLE)
    known = {identity.user_id for person in load_policy(DEMO_POLICY).people for identity in person.identities}
    assert {person["aadObjectId"] for person in everybody[:-1]} <= known
    assert everybody[-1]["aadObjectId"] not in known
    assert {"id", "name", "userPrincipleName", "aadObjectId", "givenName", "surname", "email"} == set(told["users"][0])
    assert set(told) == {
        "version", "tenantId", "bot", "currentUser", "users", "personalChat", "groupChat", "team",
    }  # fmt: skip


async def test_without_credentials_the_bot_starts_on_a_loopback_address_alone(settings: Settings) -> None:
    assert (settings.http.host, settings.teams.unsafe_teams_without_credentials) == ("127.0.0.1", True)
    assert settings.slack.slack_bot_token is None
    exposed = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    exposed["http"] = settings.http.model_copy(update={"host": "192.0.2.1"})
    with pytest.raises(TeamsConfigInvalid, match="loopback"):
        async with running_bot(Settings(**exposed)):
            pass
