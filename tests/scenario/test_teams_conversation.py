import asyncio
import json
from collections.abc import AsyncIterator
from io import BytesIO

import aiohttp
import pytest
from openpyxl import load_workbook
from PIL import Image

from tests.fakes.teams.connector import TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, TeamsClient
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.teams import (
    ANA,
    BASE,
    BOB,
    CREDENTIALS,
    MALLORY,
    PUBLIC,
    Talk,
    cards,
    content_type,
    link_of,
    picture_of,
    shown,
    sql_of,
    verbs,
    verbs_of,
)
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"
VAGUE = "approval rate of Visa"
SQL = (
    "SELECT channel, SUM(processed_amount) AS billed FROM semantic.v_daily_payment_metrics "
    "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY channel"
)
MEMBERS = [{**person.account(), "userRole": "user"} for person in (ANA, BOB)]


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as running:
        yield running
    assert running.faults == []


async def test_the_whole_conversation_in_a_personal_chat(settings_of: MakeSettings, teams: TeamsStandIn) -> None:
    async with running_bot(settings_of(**CREDENTIALS), teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        talk = Talk(client=client, conversation=PERSONAL)
        await clarified_changed_as_sql_and_declined(talk)
        await approved_after_a_change(talk)
        await thumbs_of_teams(talk)
        await another_chart(talk)
        await rejected_with_a_reason(talk)
        await commands(talk)
        assert PERSONAL.id in teams.typing


async def approved_after_a_change(talk: Talk) -> None:
    earlier = tuple(card.id for card in talk.teams.in_conversation(PERSONAL.id))
    message = await talk.say(ANA, QUESTION)
    first = await talk.card("approve", earlier)
    assert "refresh" not in first.card, "nobody else sees a personal chat"
    both = await talk.press(ANA, first, "change", text="only Visa", sql=SQL)
    assert "Do one of the two" in both["value"]
    await talk.press(ANA, first, "change", period="last 30 days")
    newer = await talk.card("approve", (*earlier, first.id))
    assert "2–31 Oct 2026" in shown(newer)
    assert "Approve" not in {node.get("title") for node in first.card["body"]}
    answered = await talk.press(ANA, newer, "approve")
    assert "Approved by Ana" in json.dumps(answered, ensure_ascii=False)
    answer = await talk.card("show_sql", earlier)
    assert picture_of(answer).startswith("data:image/png;base64,")
    assert (await talk.client.accept(ANA, await talk.offered())).status == 200
    [content] = talk.teams.uploads.values()
    assert load_workbook(BytesIO(content)).worksheets[0].max_row == 5
    await talk.client.edit(ANA, PERSONAL, message, "approval rate by country last month")
    again = await talk.says("You changed your message")
    assert verbs(again) == {"ask"}


async def thumbs_of_teams(talk: Talk) -> None:
    answer = await talk.card("show_sql")
    assert "thumbs_up" not in verbs(answer)
    assert (await talk.client.rate(ANA, PERSONAL, answer, "dislike", "wrong period")).body == {}
    await talk.says("Noted.")


async def another_chart(talk: Talk) -> None:
    answer = await talk.card("chart_type")
    await talk.press(ANA, answer, "chart_type")
    other = await talk.card("chart_type", (answer.id,))
    assert picture_of(other) != picture_of(answer)


async def clarified_changed_as_sql_and_declined(talk: Talk) -> None:
    await talk.say(ANA, VAGUE)
    asked = await talk.card("choose")
    chosen = await talk.press(ANA, asked, "choose")
    assert verbs_of(chosen) == set()
    proposal = await talk.card("approve")
    sql = sql_of(proposal)
    await talk.press(ANA, proposal, "change", sql=SQL)
    written = await talk.card("approve", (proposal.id,))
    assert "sum(processed_amount)" in sql_of(written).lower()
    told = await talk.press(ANA, written, "approve")
    assert "can’t approve this" in json.dumps(told, ensure_ascii=False), "written SQL needs a second person"
    await talk.press(ANA, written, "change", text="undo")
    before = await talk.card("approve", (proposal.id, written.id))
    assert sql_of(before) == sql
    await talk.press(ANA, before, "approve")
    await talk.card("show_sql")
    assert (await talk.client.decline(ANA, await talk.offered())).status == 200
    await talk.says("You declined")


async def rejected_with_a_reason(talk: Talk) -> None:
    earlier = tuple(card.id for card in talk.teams.in_conversation(PERSONAL.id))
    await talk.say(ANA, QUESTION)
    proposal = await talk.card("approve", earlier)
    await talk.press(ANA, proposal, "reject", text="wrong period")
    await talk.says("wrong period")
    assert verbs(proposal) == set()


async def commands(talk: Talk) -> None:
    for command, answer in (
        ("help", "approval"),
        ("my memory", "remember nothing"),
        ("remember that pesos means processed amount", "“pesos” means Processed amount"),
        ("history", "approval rate"),
        ("my approvals", "approv"),
        ("forget me", "forget"),
        ("new", "no longer counts"),
    ):
        before = len(talk.teams.in_conversation(PERSONAL.id))
        await talk.say(ANA, command)

        def told(before: int = before, answer: str = answer) -> bool:
            newer = talk.teams.in_conversation(PERSONAL.id)[before:]
            return any(answer in shown(each) for each in newer)

        await eventually(told, f"an answer to {command}")


async def test_the_whole_conversation_in_a_group_with_a_second_person(
    settings_of: MakeSettings, teams: TeamsStandIn
) -> None:
    teams.members[GROUP.id] = MEMBERS
    async with running_bot(settings_of(**PUBLIC), teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        talk = Talk(client=client, conversation=GROUP)
        await talk.say(BOB, QUESTION)
        proposal = await talk.card("approve")
        assert ANA.object_id not in teams.opened, "who is in the chat gets no copy"
        await seen_by_each_in_their_way(talk)
        await stranger_asks_for_access(talk)
        await decided_once(talk)
        assert verbs(proposal) == set()
        await shown_and_linked(talk, bot.url)
        await written_sql_signed_by_a_second_person_in_an_old_client(talk)
        await nothing_for_strangers(talk)


async def seen_by_each_in_their_way(talk: Talk) -> None:
    proposal = await talk.card("approve")
    own = await talk.client.look(BOB, GROUP, proposal)
    assert verbs_of(own) == {"change", "reject", "request_access"}
    hers = await talk.client.look(ANA, GROUP, proposal)
    assert {"approve", "change", "reject"} <= verbs_of(hers)
    assert "approve" in verbs(await talk.card("approve")), "looking decides nothing"


async def stranger_asks_for_access(talk: Talk) -> None:
    proposal = await talk.card("approve")
    told = await talk.press(BOB, proposal, "approve")
    assert "can’t approve this" in json.dumps(told, ensure_ascii=False)
    assert "request_access" in verbs_of(told)
    asking = next(each for each in talk.teams.in_conversation(GROUP.id) if each.id == proposal.id)
    view = type(asking)(conversation=asking.conversation, id=asking.id, versions=[_holding(told["value"])])
    await talk.press(BOB, view, "request_access", text="month-end report")
    request = await talk.says("asks for access", talk.teams.opened.get(str(ANA.object_id)) or f"a:1-{ANA.object_id}")
    assert "month-end report" in shown(request)
    assert "SELECT" in shown(request)
    await talk.says("Your request was sent to", f"a:1-{BOB.object_id}")


def _holding(card: object) -> dict[str, object]:
    return {"attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}]}


async def decided_once(talk: Talk) -> None:
    proposal = await talk.card("approve")
    open_card = type(proposal)(conversation=proposal.conversation, id=proposal.id, versions=[proposal.activity])
    answers = await asyncio.gather(*(talk.press(ANA, open_card, "approve") for _ in range(3)))
    assert all(answer["statusCode"] == 200 for answer in answers)
    await talk.card("show_sql")
    redrawn = await talk.says("Approved by Ana")
    assert redrawn.id == proposal.id
    late = await talk.client.look(BOB, GROUP, open_card)
    assert verbs_of(late) == set()
    assert "Approved by Ana" in json.dumps(late, ensure_ascii=False)
    assert [each for each in cards(talk.teams, GROUP.id) if "chart_type" in verbs(each)] == [
        await talk.card("chart_type")
    ]


async def shown_and_linked(talk: Talk, url: str) -> None:
    answer = await talk.card("show_sql")
    address = picture_of(answer)
    assert address.startswith(f"{BASE}/files/")
    linked = await talk.says("Action.OpenUrl")
    async with aiohttp.ClientSession() as http:
        async with http.get(url + address.removeprefix(BASE)) as served:
            picture = Image.open(BytesIO(await served.read()))
            assert max(picture.size) <= 1024
            assert served.headers["Content-Disposition"].startswith("inline")
        async with http.get(url + link_of(linked).removeprefix(BASE)) as served:
            assert load_workbook(BytesIO(await served.read())).worksheets[0].max_row == 5
        async with http.get(url + link_of(linked).removeprefix(BASE)[:-2] + "xx") as forged:
            assert forged.status == 404


async def written_sql_signed_by_a_second_person_in_an_old_client(talk: Talk) -> None:
    earlier = tuple(card.id for card in cards(talk.teams, GROUP.id))
    await talk.say(BOB, QUESTION)
    proposal = await talk.card("approve", earlier)
    await talk.press(BOB, proposal, "change", sql=SQL)
    written = await talk.card("approve", (*earlier, proposal.id))
    assert "sum(processed_amount)" in sql_of(written).lower()
    assert (await talk.client.press_in_old_client(ANA, GROUP, written, "Approve")).status == 201
    await talk.card("show_sql", earlier)


async def nothing_for_strangers(talk: Talk) -> None:
    before = len(cards(talk.teams, GROUP.id))
    await talk.say(MALLORY, QUESTION)
    refusal = await eventually(lambda: cards(talk.teams, GROUP.id)[before:], "the refusal")
    assert "approve" not in verbs(refusal[0])


async def test_the_whole_conversation_in_a_channel_signed_elsewhere(
    settings_of: MakeSettings, teams: TeamsStandIn
) -> None:
    settings = settings_of(**PUBLIC)
    teams.members[CHANNEL.id] = MEMBERS
    async with running_bot(settings, teams.config().endpoints) as bot:
        client = TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages")
        talk = Talk(client=client, conversation=CHANNEL)
        await talk.say(BOB, QUESTION)
        proposal = await talk.card("approve")
        alone = Talk(client=client, conversation=type(PERSONAL)(scope="personal", id=f"a:1-{ANA.object_id}"))
        alone.thread = alone.conversation.id
        copy = await alone.card("approve")
    async with running_bot(settings, teams.config().endpoints) as bot:
        client.bot_url = f"{bot.url}/api/messages"
        await alone.press(ANA, copy, "approve")
        answer = await talk.card("chart_type")
        assert "Approved by Ana" in shown(proposal)
        assert "Approved by Ana" in shown(copy)
        await talk.press(BOB, answer, "chart_type")
        await talk.card("chart_type", (answer.id,))
        assert not [each for each in teams.in_conversation(talk.thread) if content_type(each).endswith("consent")]
        root = talk.thread.partition(";messageid=")[2]
        await client.say(BOB, CHANNEL, "and by brand?", root=root, mention=False)
        further = await talk.card("approve")
        await talk.press(ANA, further, "reject", text="wrong period")
        await talk.says("wrong period")
        assert verbs(further) == set()
        await talk.say(BOB, VAGUE)
        asked = await talk.card("choose")
        told = await talk.press(ANA, asked, "choose")
        assert "value" in told
        assert isinstance(told["value"], str), "only the asker answers"
        await talk.press(BOB, asked, "choose")
        teams.disabled.add(str(BOB.object_id))
        await talk.press(ANA, await talk.card("approve"), "approve")
        await alone.says("no longer active")
