from typing import Any

import pytest

from agent.values.turn import CardAction
from cards.elements import Acknowledgement, Actions, Button, Card, Heading, Notice, Prompt, Span
from tests.fakes.teams.bot import RunningBot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person, payload
from tests.fakes.teams.posted import Failure, Posted
from tests.fakes.teams.rules import answer_faults

ANA = Person()
BEN = Person(name="Ben Ruiz", object_id="b0b00000-0000-4000-8000-000000000002", locale="es-ES")
REASON = Prompt(title="Reject", label="Reason", submit="Send", required=True)
PROPOSAL = Card(
    kind="proposal",
    fallback="Approval rate by channel",
    elements=(
        Heading(text="Approval rate by channel"),
        Actions(
            buttons=(
                Button(label="Approve", action=CardAction(verb="approve", run="RUN7", fingerprint="f00d")),  # type: ignore[arg-type]
                Button(label="Reject", action=CardAction(verb="reject", run="RUN7", fingerprint="f00d"), prompt=REASON),  # type: ignore[arg-type]
                Button(label="Explain", action=CardAction(verb="explain", run="RUN7")),  # type: ignore[arg-type]
            )
        ),
    ),
)
DECIDED = Card(kind="decided", fallback="Approved", elements=(Notice(tone="success", spans=(Span(text="Approved"),)),))


async def _posted(teams: TeamsStandIn, bot: RunningBot, conversation: Conversation) -> Posted:
    await bot.people.say(ANA, conversation, "approval rate by channel")
    ref = await bot.channel.post(bot.product.place, PROPOSAL, "RUN7:proposal")
    bot.product.turns.clear()
    return next(message for message in teams.posted if message.id == ref.message_id)


@pytest.mark.parametrize("conversation", [PERSONAL, GROUP, CHANNEL])
async def test_a_click_is_a_decision_and_its_card_comes_back_at_once(
    teams: TeamsStandIn, bot: RunningBot, conversation: Conversation
) -> None:
    card = await _posted(teams, bot, conversation)
    bot.product.says = Acknowledgement(card=DECIDED)
    answer = await bot.people.press(BEN, conversation, card, "Approve")
    turn = bot.product.turn
    assert (turn.kind, turn.action) == ("decision", CardAction(verb="approve", run="RUN7", fingerprint="f00d"))  # type: ignore[arg-type]
    assert (turn.author.user_id, turn.locale) == (BEN.object_id, "es")
    assert turn.card_ref is not None
    assert (turn.card_ref.message_id, turn.card_ref.thread) == (card.id, turn.thread)
    assert (answer["statusCode"], answer["type"]) == (200, "application/vnd.microsoft.card.adaptive")
    assert answer["value"]["fallbackText"] == "Approved"


async def test_a_click_in_a_channel_belongs_to_the_thread_of_its_question(teams: TeamsStandIn, bot: RunningBot) -> None:
    root = await bot.people.say(ANA, CHANNEL, "approval rate by channel")
    asked = bot.product.turn
    ref = await bot.channel.post(bot.product.place, PROPOSAL, "RUN7:proposal")
    await bot.people.press(ANA, CHANNEL, teams.posted[-1], "Approve")
    clicked = bot.product.turns[-1]
    assert clicked.thread == asked.thread
    assert asked.thread.endswith(f":{root}")
    assert ref.thread == asked.thread


async def test_what_was_typed_with_a_button_arrives(teams: TeamsStandIn, bot: RunningBot) -> None:
    card = await _posted(teams, bot, GROUP)
    await bot.people.press(ANA, GROUP, card, "Send", typed=" wrong period ")
    assert bot.product.turn.action == CardAction(verb="reject", run="RUN7", fingerprint="f00d", text="wrong period")  # type: ignore[arg-type]


async def test_a_notice_reaches_only_the_person_who_clicked(teams: TeamsStandIn, bot: RunningBot) -> None:
    card = await _posted(teams, bot, GROUP)
    bot.product.says = Acknowledgement(notice="You can’t approve this.")
    answer = await bot.people.press(BEN, GROUP, card, "Approve")
    assert answer == {
        "statusCode": 200,
        "type": "application/vnd.microsoft.activity.message",
        "value": "You can’t approve this.",
    }
    assert teams.posted == [card]
    await bot.channel.notify(bot.product.place, bot.product.turn.author, "You can’t approve this.")
    assert [(message.conversation, message.activity["text"]) for message in teams.posted[1:]] == [
        (teams.opened[str(BEN.object_id)], "You can’t approve this.")
    ]


@pytest.mark.parametrize(("person", "words"), [(ANA, "Received."), (BEN, "Recibido.")])
async def test_a_click_that_changes_nothing_is_confirmed(
    teams: TeamsStandIn, bot: RunningBot, person: Person, words: str
) -> None:
    card = await _posted(teams, bot, GROUP)
    answer = await bot.people.press(person, GROUP, card, "Explain")
    assert answer["value"] == words
    assert bot.product.turn.kind == "feedback"


async def test_a_card_that_redraws_itself_decides_nothing(bot: RunningBot) -> None:
    sent = payload("execute")
    sent["value"]["trigger"] = "automatic"
    answer = await bot.people.send(sent)
    assert answer_faults(answer.body) == []
    assert bot.product.turns == []


async def test_a_button_of_an_old_version_says_so(bot: RunningBot) -> None:
    sent = payload("execute")
    sent["value"]["action"]["data"] = {"action": '{"v":0}'}
    answer = await bot.people.send(sent)
    assert "older version" in answer.body["value"]
    assert bot.product.turns == []


@pytest.mark.parametrize(
    "value", [None, {}, [], "x", {"action": None}, {"action": {"type": "Action.Submit", "data": {}}}, {"action": 5}]
)
async def test_an_action_that_is_none_is_an_error_in_teams_words(bot: RunningBot, value: Any) -> None:
    answer = await bot.people.send(payload("execute") | {"value": value})
    assert (answer.status, answer.body["statusCode"]) == (200, 400)
    assert answer.body["type"] == "application/vnd.microsoft.error"
    assert answer_faults(answer.body) == []


async def test_feedback_on_a_message_is_taken(bot: RunningBot) -> None:
    answer = await bot.people.send(payload("feedback"))
    assert (answer.status, answer.body) == (200, {})


@pytest.mark.parametrize("name", ["task/fetch", "composeExtension/query", "signin/verifyState", ""])
async def test_an_invoke_that_is_not_served_says_so(bot: RunningBot, name: str) -> None:
    assert (await bot.people.send(payload("feedback") | {"name": name})).status == 501


async def test_an_invoke_of_a_tenant_that_is_not_allowed_gets_silence(bot: RunningBot) -> None:
    sent = payload("execute")
    sent["channelData"]["tenant"]["id"] = "somebody-else"
    answer = await bot.people.send(sent)
    assert (answer.status, answer.body) == (403, "")


async def test_a_click_that_could_not_be_stored_is_not_confirmed(bot: RunningBot) -> None:
    bot.product.is_down = True
    assert (await bot.people.send(payload("execute"))).status == 503


async def test_a_notice_to_an_old_client_is_posted(teams: TeamsStandIn, bot: RunningBot) -> None:
    card = await _posted(teams, bot, GROUP)
    bot.product.says = Acknowledgement(notice="You can’t approve this.")
    answer = await bot.people.press_in_old_client(BEN, GROUP, card, "Approve")
    assert answer.status == 201
    assert [message.activity["text"] for message in teams.posted[1:]] == ["You can’t approve this."]


async def test_a_malformed_click_of_an_old_client_is_told(teams: TeamsStandIn, bot: RunningBot) -> None:
    answer = await bot.people.send(payload("submit") | {"value": {"action": "nonsense"}})
    assert answer.status == 201
    assert "older version" in teams.posted[0].activity["text"]
    assert bot.product.turns == []


async def test_a_notice_that_cannot_be_posted_does_not_fail_the_click(teams: TeamsStandIn, bot: RunningBot) -> None:
    teams.failures = [Failure(status=502)] * 9
    assert (await bot.people.send(payload("submit") | {"value": {}})).status == 201
    assert teams.posted == []


async def test_a_message_that_is_not_taken_is_answered_with_the_reason(teams: TeamsStandIn, bot: RunningBot) -> None:
    bot.product.says = Acknowledgement(notice="That is too many.")
    await bot.people.say(ANA, GROUP, "approval rate by channel")
    assert "That is too many." in str(teams.posted[-1])
