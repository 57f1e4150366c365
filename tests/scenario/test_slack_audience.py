from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.slack.workspace import Json, Workspace
from tests.scenario.conftest import POLICY, MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.test_slack_approvers import direct_card, press_alone
from tests.scenario.waiting import eventually
from tests.written_logs import lines, logs_written

RATE = "What was the approval rate of the last seven days by channel?"
LIMA = """
  lima:
    domains: [payments]
    row_rules:
      - domain: payments
        sources: [semantic.v_daily_payment_metrics]
        column: region
        members: [Lima]
        label: {en: Lima only, es: Solo Lima, ru: Только Лима}

people:
  - {id: lola, name: Lola, roles: [lima], slack: [{team: T0HOME, user: U0LOLA}]}
"""


@pytest.fixture
def asking_policy(tmp_path: Path) -> Path:
    text = POLICY.read_text(encoding="utf-8")
    text = text.replace("\npeople:\n", LIMA, 1).replace("{answers: open, external: allow}", "ask")
    path = tmp_path / "asking.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
async def people(settings_of: MakeSettings, asking_policy: Path) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    for user, name in (("U0ANA", "Ana"), ("U0BOB", "Bob"), ("U0LOLA", "Lola"), ("U0MAL", "Mallory")):
        workspace.add_user(user, name=name, locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    workspace.add_conversation("C0LIMA", "U0ANA", "U0BOB", "U0LOLA")
    workspace.add_conversation("C0SHARED", "U0ANA")
    workspace.conversations["C0SHARED"].is_shared = True
    async with slack_talk(settings_of, workspace, slack_seconds_between_posts=0, policy_file=asking_policy) as (
        present,
        _,
    ):
        yield present


async def test_an_answer_stands_only_where_everybody_may_see_it(people: SlackPeople) -> None:
    workspace = people.workspace
    await among_equals(people)
    in_lima = SlackPeople(workspace=workspace, deliveries=people.deliveries, channel="C0LIMA")
    root = await in_lima.mention(RATE)
    with logs_written("INFO") as logs:
        await in_lima.press(await in_lima.card_with(root, "approve"), "approve")
        answer = await direct_card(people, "U0ANA", "share")
        (ended,) = await eventually(lambda: decisions(logs), "the end of the turn")
    assert "deliver" in ended["ms"]
    assert "not everybody in the conversation" in text_of(answer)
    assert "Approval rate" in text_of(answer)
    apart = await in_lima.card_with(root, "share")
    assert "the answer is in a direct message" in text_of(apart)
    assert_nothing_told(workspace, "C0LIMA")
    await in_lima.press(apart, "share", user="U0BOB")
    await eventually(lambda: "Only the person who asked" in str(workspace.ephemerals), "a private notice")
    await follows_up_alone(people, answer)
    await press_alone(people, answer, "share", "U0ANA")
    shared = await in_lima.card_with_text(root, "Shared by Ana")
    assert "E-commerce" in text_of(shared)
    assert shared["ts"] == apart["ts"]
    await eventually(lambda: buttons_of(workspace.message("D0ANA", answer["ts"]), "share") == [], "the button is gone")


def decisions(logs: StringIO) -> list[dict[str, Any]]:
    return [line for line in lines(logs) if line["event"] == "turn_handled" and line["kind"] == "decision"]


async def among_equals(people: SlackPeople) -> None:
    root = await people.mention(RATE, user="U0BOB")
    await people.press(await people.card_with(root, "approve"), "approve")
    assert "Approval rate" in text_of(await people.card_with(root, "show_sql"))


async def follows_up_alone(people: SlackPeople, answer: Json) -> None:
    """What goes on from the private answer goes on there, and stays there."""
    await press_alone(people, answer, "explain", "U0ANA")

    def explained() -> bool:
        said = people.workspace.thread("D0ANA", answer["ts"])
        return any("Measure" in text_of(message) for message in said if message.get("blocks"))

    await eventually(explained, "the explanation")


def assert_nothing_told(workspace: Workspace, channel: str) -> None:
    """No figure, no picture and no workbook stands in front of everybody."""
    said = "\n".join(text_of(message) for message in workspace.conversations[channel].messages if message.get("blocks"))
    assert "E-commerce" not in said
    assert [file for file in workspace.files.values() if file.channel == channel] == []


async def test_proposals_that_name_members_wait_alone_and_outsiders_are_answered_nothing(people: SlackPeople) -> None:
    workspace = people.workspace
    in_lima = SlackPeople(workspace=workspace, deliveries=people.deliveries, channel="C0LIMA")
    root = await in_lima.mention("Approval rate of the last seven days in Arequipa")
    await in_lima.card_with_text(root, "what is to be approved is in a direct message")
    proposal = await direct_card(people, "U0ANA", "approve")
    await press_alone(people, proposal, "approve", "U0ANA")
    await in_lima.card_with_text(root, "the answer is in a direct message")
    await direct_card(people, "U0ANA", "share")
    shared = SlackPeople(workspace=workspace, deliveries=people.deliveries, channel="C0SHARED")
    root = await shared.mention(RATE)
    refused = await shared.card_with_text(root, "another organisation read this conversation")
    assert buttons_of(refused, "approve") == []
