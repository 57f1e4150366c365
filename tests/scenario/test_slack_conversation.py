import asyncio
import json
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from openpyxl import load_workbook

from bot.settings import Settings
from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.slack import SECRET, SlackPeople, buttons_of, people_of, text_of
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    held = Workspace()
    held.add_user("U0ANA", name="Ana", locale="en-US")
    held.add_user("U0BOB", name="Bob", locale="en-US")
    held.add_user("U0MAL", name="Mallory", locale="en-US")
    held.add_conversation("C0SALES", "U0ANA", "U0BOB", "U0MAL")
    held.add_conversation("D0ANA", "U0ANA")
    yield held
    assert held.faults == []


@pytest.fixture
async def settings(settings_of: MakeSettings, workspace: Workspace) -> AsyncIterator[Settings]:
    async with slack_server(workspace) as server:
        yield settings_of(slack_bot_token=BOT_TOKEN, slack_signing_secret=SECRET, slack_api_url=server.api)


@pytest.fixture
async def people(settings: Settings, workspace: Workspace) -> AsyncIterator[SlackPeople]:
    async with running_bot(settings) as bot, people_of(bot.url, workspace) as present:
        yield present


async def test_a_mention_becomes_a_card_a_click_an_answer_with_chart_and_workbook(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    proposal = await people.card_with(root, "approve")
    assert "Approval rate by channel, last 7 days" in text_of(proposal)
    assert (await people.press(proposal, "approve")).status == 200
    answer = await people.card_with(root, "show_sql")
    assert "Approval rate" in text_of(answer)
    decided = people.workspace.message("C0SALES", proposal["ts"])
    assert "Approved by Ana" in text_of(decided)
    assert buttons_of(decided, "approve") == []
    chart, workbook = sorted(await people.files(root, 2), key=lambda file: file.name)
    assert chart.content.startswith(b"\x89PNG")
    assert load_workbook(BytesIO(workbook.content)).worksheets[0].max_row == 5


async def test_a_slash_command_gets_a_root_message_that_carries_the_thread(people: SlackPeople) -> None:
    command = sample("slash_command", text=QUESTION, user_id="U0ANA", trigger_id=people.workspace.trigger())
    assert (await people.deliveries.command(command)).status == 200

    def root() -> str | None:
        posted = [m for m in people.workspace.conversations["C0SALES"].messages if QUESTION in str(m.get("text"))]
        return str(posted[0]["ts"]) if posted else None

    proposal = await people.card_with(await eventually(root, "the root message"), "approve")
    assert "Approval rate by channel" in text_of(proposal)


async def test_a_direct_message_needs_no_mention(people: SlackPeople) -> None:
    said = people.workspace.say("D0ANA", {"user": "U0ANA", "text": QUESTION})
    payload = sample("message_im", event_id="Ev900", event__text=QUESTION, event__ts=said["ts"], event__channel="D0ANA")
    assert (await people.deliveries.event(payload)).status == 200
    direct = SlackPeople(workspace=people.workspace, deliveries=people.deliveries, channel="D0ANA")
    assert await direct.card_with(said["ts"], "approve")


async def test_a_stranger_is_told_privately_and_the_card_stays_open(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    proposal = await people.card_with(root, "approve")
    await people.press(proposal, "approve", user="U0BOB")
    notice = await eventually(lambda: people.workspace.ephemerals, "a private notice")
    assert notice[-1]["user"] == "U0BOB"
    assert "Ana" in json.dumps(notice[-1])
    assert buttons_of(people.workspace.message("C0SALES", proposal["ts"]), "approve")


async def test_a_reject_asks_for_the_reason_and_keeps_it(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    proposal = await people.card_with(root, "approve")
    await people.press(proposal, "reject")
    await eventually(lambda: people.workspace.views, "a dialog")
    assert (await people.send_dialog("wrong period")).status == 200

    def decided() -> bool:
        return "wrong period" in text_of(people.workspace.message("C0SALES", proposal["ts"]))

    assert await eventually(decided, "the rejected card")
    assert buttons_of(people.workspace.message("C0SALES", proposal["ts"]), "approve") == []


async def test_a_missing_period_is_asked_with_buttons_and_the_choice_goes_on(people: SlackPeople) -> None:
    root = await people.mention("approval rate of Visa")
    question = await people.card_with(root, "choose")
    await people.press(question, "choose")
    assert await people.card_with(root, "approve")
    assert buttons_of(people.workspace.message("C0SALES", question["ts"]), "choose") == []


async def test_an_unknown_person_gets_a_refusal_and_no_data(people: SlackPeople) -> None:
    root = await people.mention(QUESTION, user="U0MAL")
    [refusal] = await eventually(lambda: people.cards(root), "the refusal")
    assert "U0MAL" in text_of(refusal)
    assert buttons_of(refusal, "approve") == []


async def test_the_same_event_delivered_again_is_one_turn(people: SlackPeople) -> None:
    said = people.workspace.say("C0SALES", {"user": "U0ANA", "text": f"<@U0BOT> {QUESTION}"})
    for retry in (0, 1, 2):
        assert (await people.deliver(said, user="U0ANA", retry=retry)).status == 200
    proposal = await people.card_with(said["ts"], "approve")
    await people.press(proposal, "approve", at="1793545300.000001")
    await people.press(proposal, "approve", at="1793545300.000001")
    await people.files(said["ts"], 2)
    assert len([m for m in people.cards(said["ts"]) if buttons_of(m, "show_sql")]) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Slack-Request-Timestamp": "1", "X-Slack-Signature": "v0=00"},
        {"X-Slack-Request-Timestamp": "soon", "X-Slack-Signature": "v0=00"},
    ],
)
async def test_an_unsigned_or_stale_request_is_401(people: SlackPeople, headers: dict[str, str]) -> None:
    answer = await people.deliveries.raw(b"{}", {"Content-Type": "application/json", **headers})
    assert answer.status == 401


async def test_a_click_after_a_restart_still_resumes_the_run(settings: Settings, workspace: Workspace) -> None:
    async with running_bot(settings) as bot, people_of(bot.url, workspace) as people:
        root = await people.mention(QUESTION)
        proposal = await people.card_with(root, "approve")
    async with running_bot(settings) as bot, people_of(bot.url, workspace) as people:
        await people.press(proposal, "approve")
        assert len(await people.files(root, 2)) == 2


async def test_the_acknowledgement_does_not_wait_for_a_worker(settings: Settings, workspace: Workspace) -> None:
    async with running_bot(settings, worker=False) as bot, people_of(bot.url, workspace) as people:
        root = await people.mention(QUESTION)
        await asyncio.sleep(0.2)
        assert people.cards(root) == []
    async with running_bot(settings) as bot, people_of(bot.url, workspace) as people:
        assert await people.card_with(root, "approve")
