from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.fakes.slack.deliveries import sample
from tests.fakes.slack.workspace import Json, Workspace
from tests.scenario.conftest import MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk, text_of
from tests.scenario.waiting import eventually

QUESTION = "What was the approval rate of the last seven days by channel?"


@pytest.fixture
async def people(settings_of: MakeSettings) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_user("U0BOB", name="Bob", locale="es-ES")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    async with slack_talk(settings_of, workspace) as (present, _):
        yield present


def _alone(people: SlackPeople, words: str) -> tuple[str, Json] | None:
    """A card with these words in somebody's direct messages, and in whose."""
    for channel, conversation in people.workspace.conversations.items():
        if channel.startswith("D"):
            for message in conversation.messages:
                if message.get("blocks") and words in text_of(message):
                    return channel, message
    return None


async def _written_to(people: SlackPeople, words: str) -> tuple[SlackPeople, Json]:
    channel, message = await eventually(lambda: _alone(people, words), f"a direct message with {words}")
    return replace(people, channel=channel), {"thread_ts": message["ts"], **message}


async def test_what_is_remembered_of_a_person_is_theirs_alone_and_forgotten_by_a_button(people: SlackPeople) -> None:
    root = await people.mention("remember that plata means processed amount")
    await _written_to(people, "“plata” means Processed amount")
    await people.mention("my memory", thread=root)
    alone, card = await _written_to(people, "What I remember of you")
    assert people.cards(root) == []
    assert any("I wrote to you directly" in str(told.get("text")) for told in people.workspace.ephemerals)
    asked = await people.mention("plata by channel last month")
    proposal = await people.card_with(asked, "approve")
    assert "You told me that “plata” means Processed amount." in text_of(proposal)
    assert (await alone.press(card, "command")).status == 200
    await _written_to(people, "Forgotten: “plata” means Processed amount.")


async def test_a_slash_command_stops_what_waits_anywhere_and_answers_in_the_persons_language(
    people: SlackPeople,
) -> None:
    root = await people.mention(QUESTION, user="U0BOB")
    proposal = await people.card_with(root, "approve")
    command = sample("slash_command", text="parar", user_id="U0BOB", trigger_id=people.workspace.trigger())
    assert (await people.deliveries.command(command)).status == 200

    def stopped() -> bool:
        return not buttons_of(people.workspace.message("C0SALES", proposal["ts"]), "approve")

    await eventually(stopped, "the proposal is closed")

    await _written_to(people, "1 pregunta detenida.")


async def test_a_person_is_forgotten_only_by_the_button_that_says_what_goes(people: SlackPeople) -> None:
    root = await people.mention(QUESTION)
    await people.card_with(root, "approve")
    await people.mention("forget me", thread=root)
    alone, card = await _written_to(people, "Delete everything I keep of you?")
    assert (await alone.press(card, "command")).status == 200
    await _written_to(people, "Questions: 1.")
