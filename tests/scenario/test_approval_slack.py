from collections.abc import AsyncIterator
from copy import deepcopy

import pytest

from tests.fakes.slack.workspace import Workspace
from tests.scenario.conftest import MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.waiting import eventually

QUESTION = "Top 10 merchants by processed amount last month"
TURNS_A_MINUTE = 4


@pytest.fixture
async def people(settings_of: MakeSettings) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    for user, name in (("U0ANA", "Ana"), ("U0BOB", "Bob")):
        workspace.add_user(user, name=name, locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    async with slack_talk(settings_of, workspace, turns_per_minute=TURNS_A_MINUTE) as (present, _):
        yield present


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
