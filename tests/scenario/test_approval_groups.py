from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Json, Trouble, Workspace
from tests.scenario.conftest import POLICY, MakeSettings, running_bot
from tests.scenario.slack import SECRET, SlackPeople, people_of, text_of
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"
GROUPS = """
groups:
  analysts: {name: Payments analysts, roles: [analyst], slack: [{team: T0HOME, group: S1ANALYSTS}]}
  askers: {name: Askers, roles: [viewer], slack: [{team: T0HOME, group: S2ASKERS}]}
"""
METHOD = "usergroups.users.list"


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    held = Workspace(user_groups={"S1ANALYSTS": {"U0CEM", "U0DAN"}, "S2ASKERS": {"U0EVE"}})
    for user, name in (("U0BOB", "Bob"), ("U0CEM", "Cem"), ("U0DAN", "Dan"), ("U0EVE", "Eve")):
        held.add_user(user, name=name, locale="en-US")
    held.add_conversation("C0SALES", *held.users)
    yield held
    assert held.faults == []


@pytest.fixture
async def settings(settings_of: MakeSettings, workspace: Workspace, tmp_path: Path) -> AsyncIterator[Settings]:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.read_text(encoding="utf-8") + GROUPS, encoding="utf-8")
    async with slack_server(workspace) as server:
        yield settings_of(
            slack_bot_token=BOT_TOKEN, slack_signing_secret=SECRET, slack_api_url=server.api, policy_file=policy
        )


@pytest.fixture
async def people(settings: Settings, workspace: Workspace) -> AsyncIterator[SlackPeople]:
    async with running_bot(settings) as bot, people_of(bot.url, workspace) as present:
        yield present


async def told(people: SlackPeople, words: str) -> Json:
    def look() -> Json | None:
        found = [said for said in people.workspace.ephemerals if words in said["text"]]
        return found[-1] if found else None

    return await eventually(look, words)


async def shows(people: SlackPeople, card: Json, words: str) -> None:
    def look() -> bool:
        return words in text_of(people.workspace.message("C0SALES", card["ts"]))

    await eventually(look, words)


async def test_people_of_a_slack_group_ask_and_approve_without_being_named(people: SlackPeople) -> None:
    root = await people.mention(QUESTION, user="U0EVE")
    proposal = await people.card_with(root, "approve")
    assert "Payments analysts" in text_of(proposal)
    await people.press(proposal, "approve", user="U0CEM")
    await people.card_with(root, "show_sql")
    await shows(people, proposal, "Approved by Cem")


async def test_an_approver_who_left_the_group_since_is_turned_down(people: SlackPeople) -> None:
    root = await people.mention(QUESTION, user="U0CEM")
    proposal = await people.card_with(root, "approve")
    people.workspace.user_groups["S1ANALYSTS"] = {"U0DAN"}
    people.workspace.user_groups["S2ASKERS"].add("U0CEM")
    await people.press(proposal, "approve", user="U0CEM")
    await told(people, "Payments analysts")
    assert "Approved by" not in text_of(people.workspace.message("C0SALES", proposal["ts"]))


async def test_for_an_asker_who_left_the_group_since_nothing_runs_and_the_card_says_so(people: SlackPeople) -> None:
    root = await people.mention(QUESTION, user="U0EVE")
    proposal = await people.card_with(root, "approve")
    people.workspace.user_groups["S2ASKERS"].clear()
    await people.press(proposal, "approve", user="U0CEM")
    await shows(people, proposal, "not run")


async def test_while_slack_does_not_say_a_named_person_goes_on_and_the_others_are_told(people: SlackPeople) -> None:
    people.workspace.trouble(METHOD, *[Trouble(status=503)] * 4)
    root = await people.mention(QUESTION, user="U0EVE")

    def refused() -> bool:
        return any("groups could not be looked up" in text_of(card) for card in people.cards(root))

    await eventually(refused, "a refusal")
    await people.card_with(await people.mention(QUESTION, user="U0BOB"), "approve")
    await told(people, "groups could not be looked up")
