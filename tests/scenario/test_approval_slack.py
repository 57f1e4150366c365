from collections.abc import AsyncIterator
from copy import deepcopy

import pytest

from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.slack import SECRET, SlackPeople, buttons_of, people_of, text_of
from tests.scenario.waiting import eventually

QUESTION = "Top 10 merchants by processed amount last month"
TURNS_A_MINUTE = 4


@pytest.fixture
async def people(settings_of: MakeSettings) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    for user, name in (("U0ANA", "Ana"), ("U0BOB", "Bob")):
        workspace.add_user(user, name=name, locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    async with slack_server(workspace) as server:
        settings = settings_of(
            slack_bot_token=BOT_TOKEN,
            slack_signing_secret=SECRET,
            slack_api_url=server.api,
            turns_per_minute=TURNS_A_MINUTE,
        )
        async with running_bot(settings) as bot, people_of(bot.url, workspace) as present:
            yield present
    assert workspace.faults == []


async def test_change_opens_a_dialog_and_a_newer_card_replaces_the_old_one(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    first = deepcopy(await people.card_with(root, "change"))
    await people.press(first, "change")
    await eventually(lambda: people.workspace.views, "a dialog")
    assert (await people.send_dialog("limit 3")).status == 200

    def newer() -> bool:
        cards = [card for card in people.cards(root) if buttons_of(card, "approve")]
        return bool(cards) and "10 → 3" in text_of(cards[-1])

    assert await eventually(newer, "the newer card")
    old = people.workspace.message("C0SALES", first["ts"])
    assert "Replaced by a newer version" in text_of(old)
    assert buttons_of(old, "approve") == []
    await people.press(first, "approve")
    [notice] = await eventually(lambda: people.workspace.ephemerals, "a private notice")
    assert "no longer open" in str(notice)
    await people.press(await people.card_with(root, "approve"), "approve")
    assert len(await people.files(root, 2)) == 2


async def test_one_message_too_many_in_a_minute_is_told_to_its_author_alone(people: SlackPeople) -> None:
    roots = [await people.mention(QUESTION) for _ in range(TURNS_A_MINUTE)]
    refused = await people.mention(QUESTION)
    [notice] = await eventually(lambda: people.workspace.ephemerals, "a private notice")
    assert notice["user"] == "U0ANA"
    assert f"more than {TURNS_A_MINUTE} messages in a minute" in str(notice)
    allowed = await people.mention(QUESTION, user="U0BOB")
    for root in (*roots, allowed):
        await people.card_with(root, "approve")
    assert people.cards(refused) == []
