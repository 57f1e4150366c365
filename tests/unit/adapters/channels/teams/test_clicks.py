import json
from collections.abc import AsyncIterator

import pytest

from adapters.channels.teams.surfaces import NoSurfaces
from agent.values.identity import ExternalUser, RunId
from agent.values.turn import CardAction, CardRef
from cards.build.access import access_button
from cards.elements import Acknowledgement, Actions, Button, Card, Heading
from cards.render.adaptive_refresh import REFRESH
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Person, nodes, payload
from tests.fakes.teams.posted import Posted
from tests.fakes.teams.rules import answer_faults

ANA = Person()
BEN = Person(name="Ben Ruiz", object_id="b0b00000-0000-4000-8000-000000000002")
RUN = RunId("RUN7")
APPROVE = CardAction(verb="approve", run=RUN, fingerprint="f00d")
SQL = "SELECT 1"
PROPOSAL = Card(
    kind="proposal",
    fallback="Sales",
    elements=(Heading(text="Sales"), Actions(buttons=(Button(label="Approve", action=APPROVE),))),
)


class Views(NoSurfaces):
    """Everybody sees the card without its buttons; nothing but RUN7 is known."""

    def __init__(self) -> None:
        self.looked: list[tuple[CardAction, ExternalUser]] = []

    async def view(self, shown: CardAction, user: ExternalUser) -> Card | None:
        self.looked.append((shown, user))
        if shown.run != RUN:
            return None
        return Card(kind="proposal", fallback="Sales", elements=(Heading(text="Sales"),))

    async def run_of(self, message: CardRef) -> RunId | None:
        return RUN if message.message_id == "17" else None


@pytest.fixture
def views() -> Views:
    return Views()


@pytest.fixture
async def bot(teams: TeamsStandIn, views: Views) -> AsyncIterator[RunningBot]:
    async with running_bot(teams, surfaces=views) as running:
        yield running


async def posted(teams: TeamsStandIn, bot: RunningBot) -> Posted:
    teams.members[GROUP.id] = [{**person.account(), "userRole": "user"} for person in (ANA, BEN)]
    await bot.people.say(ANA, GROUP, "sales")
    await bot.channel.post(bot.product.place, PROPOSAL, "k")
    bot.product.turns.clear()
    return teams.posted[-1]


async def test_looking_at_a_card_shows_ones_own_and_decides_nothing(
    teams: TeamsStandIn, bot: RunningBot, views: Views
) -> None:
    card = await posted(teams, bot)
    answer = await bot.people.look(BEN, GROUP, card)
    assert answer["value"]["body"][0]["text"] == "Sales"
    [(shown, user)] = views.looked
    assert (shown, user.user_id) == (APPROVE, BEN.object_id)
    assert bot.product.turns == []


@pytest.mark.parametrize("trigger", ["automatic", "manual"])
async def test_a_refresh_decides_nothing_whatever_it_says(teams: TeamsStandIn, bot: RunningBot, trigger: str) -> None:
    sent = payload("execute")
    sent["value"] = {"action": {**sent["value"]["action"], "verb": REFRESH}, "trigger": trigger}
    answer = await bot.people.send(sent)
    assert (answer.body["statusCode"], bot.product.turns) == (400, [])
    assert answer_faults(answer.body) == []


async def test_a_view_of_what_is_not_known_leaves_the_card_as_it_is(teams: TeamsStandIn, bot: RunningBot) -> None:
    card = await posted(teams, bot)
    carried = card.card["refresh"]["action"]["data"]
    carried[REFRESH] = carried[REFRESH].replace("RUN7", "RUN8")
    answer = await bot.people.look(BEN, GROUP, card)
    assert (answer["statusCode"], answer["type"]) == (404, "application/vnd.microsoft.error")


async def test_a_click_that_does_not_count_says_why_above_the_card_with_what_may_be_done(
    teams: TeamsStandIn, bot: RunningBot
) -> None:
    card = await posted(teams, bot)
    bot.product.says = Acknowledgement(notice="You can’t approve this.", offers=(access_button(RUN, "en"),))
    answer = await bot.people.press(BEN, GROUP, card, "Approve")
    assert answer["value"]["body"][0]["items"][0]["inlines"][0]["text"] == "You can’t approve this."
    assert "request_access" in {node.get("verb") for node in nodes(answer["value"])}
    assert "approve" not in {node.get("verb") for node in nodes(answer["value"])}


async def test_fields_that_contradict_each_other_are_said_to_their_author(teams: TeamsStandIn, bot: RunningBot) -> None:
    sent = payload("execute")
    data = {
        **sent["value"]["action"]["data"],
        "fields": {"text": "a", "sql": "b"},
        "a": "only Visa",
        "b": SQL,
        "before": "",
    }
    sent["value"]["action"]["data"] = data
    assert "Do one of the two" in (await bot.people.send(sent)).body["value"]
    old = {**payload("submit"), "value": data}
    assert (await bot.people.send(old)).status == 201
    assert "Do one of the two" in teams.posted[-1].activity["text"]
    assert bot.product.turns == []


@pytest.mark.parametrize(
    ("reaction", "feedback", "verb", "text"),
    [
        ("like", "", "thumbs_up", ""),
        ("dislike", json.dumps({"feedbackText": " wrong period "}), "thumbs_down", "wrong period"),
        ("dislike", "{", "thumbs_down", ""),
        ("dislike", json.dumps({"feedbackText": 5}), "thumbs_down", ""),
    ],
)
async def test_teams_thumbs_are_those_of_the_run(
    bot: RunningBot, reaction: str, feedback: str, verb: str, text: str
) -> None:
    told = {"actionName": "feedback", "actionValue": {"reaction": reaction, "feedback": feedback}}
    answer = await bot.people.send(payload("feedback") | {"value": told, "replyToId": "17"})
    assert (answer.status, answer.body) == (200, {})
    assert bot.product.turn.action == CardAction(verb=verb, run=RUN, text=text)  # type: ignore[arg-type]


@pytest.mark.parametrize("reply", ["18", ""])
async def test_thumbs_of_another_message_are_taken_and_count_nothing(bot: RunningBot, reply: str) -> None:
    answer = await bot.people.send(payload("feedback") | {"replyToId": reply})
    assert (answer.status, answer.body, bot.product.turns) == (200, {}, [])


async def test_an_opinion_that_is_none_is_a_bad_request(bot: RunningBot) -> None:
    assert (await bot.people.send(payload("feedback") | {"value": {"actionValue": 5}})).status == 400


async def test_an_edited_question_can_be_asked_again_as_it_reads_now(teams: TeamsStandIn, bot: RunningBot) -> None:
    message = await bot.people.say(ANA, PERSONAL, "sales")
    bot.product.followed.add(bot.product.turn.thread)
    for _ in range(2):
        assert (await bot.people.edit(ANA, PERSONAL, message, "sales by brand")).status == 201
    [offered] = teams.posted
    again = next(node for node in nodes(offered.card) if node.get("verb") == "ask")
    assert "sales by brand" in again["data"]["action"]


async def test_an_edit_elsewhere_is_nothing_to_us(teams: TeamsStandIn, bot: RunningBot) -> None:
    await bot.people.edit(ANA, CHANNEL, "1", "sales by brand")
    await bot.people.say(ANA, GROUP, "sales")
    bot.product.followed.add(bot.product.turn.thread)
    await bot.people.edit(ANA, GROUP, "2", "to a colleague: see you at noon")
    assert teams.posted == []
