import json
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from typing import Any

import aiohttp
import pytest
from openpyxl import load_workbook

from bot.settings import Settings
from tests.fakes.teams.connector import APP_ID, PASSWORD, TENANT, TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person, TeamsClient, buttons
from tests.fakes.teams.posted import Posted
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"
ANA = Person(name="Ana")
BOB = Person(name="Bob", object_id="b0b00000-0000-4000-8000-000000000002")
MALLORY = Person(name="Mallory", object_id="0bad0000-0000-4000-8000-000000000003")


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as running:
        yield running
    assert running.faults == []


@pytest.fixture
def settings(settings_of: MakeSettings) -> Settings:
    return settings_of(
        teams_app_id=APP_ID,
        teams_app_password=PASSWORD,
        teams_tenant_id=TENANT,
        public_base_url="https://bot.example",
        link_signing_secret="k" * 32,
    )


@pytest.fixture
async def client(settings: Settings, teams: TeamsStandIn) -> AsyncIterator[TeamsClient]:
    async with running_bot(settings, teams.config().endpoints) as bot:
        yield TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")


async def _card_with(teams: TeamsStandIn, conversation: str, title: str) -> Posted:
    def look() -> Posted | None:
        found = [posted for posted in _cards(teams, conversation) if title in _titles(posted)]
        return found[-1] if found else None

    return await eventually(look, f"a card with {title}")


def _cards(teams: TeamsStandIn, conversation: str) -> list[Posted]:
    return [posted for posted in teams.in_conversation(conversation) if "adaptive" in str(_content_type(posted))]


def _content_type(posted: Posted) -> str:
    attachments = posted.activity.get("attachments") or [{}]
    return str(attachments[0].get("contentType", ""))


def _titles(posted: Posted) -> set[str]:
    return {button["title"] for button in buttons(posted.card)}


def _link_of(posted: Posted) -> str:
    return next(str(node["url"]) for node in _nodes(posted.card) if node.get("type") == "Action.OpenUrl")


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _nodes(value)
    elif isinstance(node, list):
        for item in node:
            yield from _nodes(item)


@pytest.mark.parametrize("conversation", [PERSONAL, GROUP, CHANNEL], ids=["personal", "group", "channel"])
async def test_a_question_becomes_a_card_a_click_an_answer_in_every_scope(
    client: TeamsClient, teams: TeamsStandIn, conversation: Conversation
) -> None:
    root = await client.say(ANA, conversation, QUESTION)
    thread = conversation.thread(root)
    proposal = await _card_with(teams, thread, "Approve")
    shown = await client.press(ANA, conversation, proposal, "Approve")
    assert "Approved by Ana" in json.dumps(shown, ensure_ascii=False)
    answer = await _card_with(teams, thread, "Show SQL")
    assert "data:image/png;base64," in json.dumps(answer.card)
    decided = next(posted for posted in teams.in_conversation(thread) if posted.id == proposal.id)
    assert "Approve" not in _titles(decided)
    assert "Approved by Ana" in json.dumps(decided.card, ensure_ascii=False)


async def test_the_workbook_is_offered_and_uploaded_in_a_personal_chat(
    client: TeamsClient, teams: TeamsStandIn
) -> None:
    await client.say(ANA, PERSONAL, QUESTION)
    await client.press(ANA, PERSONAL, await _card_with(teams, PERSONAL.id, "Approve"), "Approve")

    def offer() -> Posted | None:
        found = [p for p in teams.in_conversation(PERSONAL.id) if _content_type(p).endswith("file.consent")]
        return found[0] if found else None

    assert (await client.accept(ANA, await eventually(offer, "the file offer"))).status == 200
    [content] = teams.uploads.values()
    assert load_workbook(BytesIO(content)).worksheets[0].max_row == 5


async def test_the_workbook_is_linked_in_a_channel_and_the_link_serves_it(
    settings: Settings, teams: TeamsStandIn
) -> None:
    async with running_bot(settings, teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        thread = CHANNEL.thread(await client.say(ANA, CHANNEL, QUESTION))
        await client.press(ANA, CHANNEL, await _card_with(teams, thread, "Approve"), "Approve")

        def linked() -> str | None:
            found = [p for p in _cards(teams, thread) if "https://bot.example/files/" in json.dumps(p.card)]
            return _link_of(found[-1]) if found else None

        path = (await eventually(linked, "the download link")).removeprefix("https://bot.example")
        async with aiohttp.ClientSession() as http, http.get(bot.url + path) as served:
            assert served.status == 200
            assert load_workbook(BytesIO(await served.read())).worksheets[0].max_row == 5
        async with aiohttp.ClientSession() as http, http.get(bot.url + path[:-2] + "xx") as forged:
            assert forged.status == 404


async def test_a_stranger_is_told_in_the_answer_to_the_click(client: TeamsClient, teams: TeamsStandIn) -> None:
    thread = GROUP.thread(await client.say(ANA, GROUP, QUESTION))
    proposal = await _card_with(teams, thread, "Approve")
    told = await client.press(BOB, GROUP, proposal, "Approve")
    assert told["type"] == "application/vnd.microsoft.activity.message"
    assert "Ana" in told["value"]
    still_open = next(posted for posted in teams.in_conversation(thread) if posted.id == proposal.id)
    assert "Approve" in _titles(still_open)


async def test_a_second_person_approves_what_the_asker_may_not(client: TeamsClient, teams: TeamsStandIn) -> None:
    thread = GROUP.thread(await client.say(BOB, GROUP, QUESTION))
    proposal = await _card_with(teams, thread, "Approve")
    await client.press(BOB, GROUP, proposal, "Approve")
    await client.press(ANA, GROUP, proposal, "Approve")
    await _card_with(teams, thread, "Show SQL")


async def test_a_reject_keeps_the_reason(client: TeamsClient, teams: TeamsStandIn) -> None:
    thread = GROUP.thread(await client.say(ANA, GROUP, QUESTION))
    proposal = await _card_with(teams, thread, "Approve")
    await client.press(ANA, GROUP, proposal, "Reject", typed="wrong period")

    def decided() -> bool:
        found = next(posted for posted in teams.in_conversation(thread) if posted.id == proposal.id)
        return "wrong period" in json.dumps(found.card)

    assert await eventually(decided, "the rejected card")


async def test_an_old_client_decides_by_submit(client: TeamsClient, teams: TeamsStandIn) -> None:
    thread = GROUP.thread(await client.say(ANA, GROUP, QUESTION))
    proposal = await _card_with(teams, thread, "Approve")
    assert (await client.press_in_old_client(ANA, GROUP, proposal, "Approve")).status == 201
    await _card_with(teams, thread, "Show SQL")


async def test_an_unknown_person_gets_a_refusal_and_no_data(client: TeamsClient, teams: TeamsStandIn) -> None:
    thread = GROUP.thread(await client.say(MALLORY, GROUP, QUESTION))
    refusal = await eventually(lambda: _cards(teams, thread), "the refusal")
    assert "Approve" not in _titles(refusal[0])


async def test_a_bad_token_is_401(client: TeamsClient) -> None:
    assert (await client.send_raw("{}", header="Bearer nonsense")).status in (400, 401)
    activity = {"type": "message", "channelId": "msteams", "serviceUrl": client.teams.service_url}
    assert (await client.send_raw(json.dumps(activity), header="Bearer nonsense")).status == 401
    assert (await client.send_raw(json.dumps(activity), aud="somebody-else")).status == 401


async def test_a_click_after_a_restart_still_resumes_the_run(settings: Settings, teams: TeamsStandIn) -> None:
    async with running_bot(settings, teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        await client.say(ANA, PERSONAL, QUESTION)
        proposal = await _card_with(teams, PERSONAL.id, "Approve")
    async with running_bot(settings, teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        await client.press(ANA, PERSONAL, proposal, "Approve")
        await _card_with(teams, PERSONAL.id, "Show SQL")
