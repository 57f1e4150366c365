from dataclasses import replace

import pytest

from adapters.channels.teams.config import Patience
from adapters.channels.teams.streams import grown, streamed_words
from agent.values.turn import CardAction
from cards.elements import Actions, Button, Card, Citation, Paragraph, Span
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import GROUP, PERSONAL, Person

WORDS = " ".join(f"word{number}" for number in range(120))
LONG = Card(kind="reply", fallback="Long", elements=(Paragraph(spans=(Span(text=WORDS),)),))
BUTTON = Button(label="Ask", action=CardAction(verb="ask", value="sales"))


async def test_a_long_reply_grows_in_a_personal_chat(teams: TeamsStandIn) -> None:
    async with running_bot(teams, patience=Patience(first_pause=0.01, stream=1.02)) as bot:
        await bot.people.say(Person(), PERSONAL, "explain")
        card = replace(LONG, is_model_written=True, citations=(Citation(title="Daily metrics"),))
        ref = await bot.channel.post(bot.product.place, replace(card, citations=()), "k")
    (message,) = teams.posted
    assert (message.id, message.activity["text"]) == (ref.message_id, WORDS)
    [stream] = teams.streams.values()
    assert stream.is_over
    assert len(stream.shown) == 3
    kinds = [entity["type"] for entity in message.activity["entities"]]
    assert kinds == ["streaminfo", "https://schema.org/Message"]


async def test_a_chat_that_takes_no_streams_gets_the_card(teams: TeamsStandIn, bot: RunningBot) -> None:
    teams.streams_refused = True
    await bot.people.say(Person(), PERSONAL, "explain")
    await bot.channel.post(bot.product.place, LONG, "k")
    assert teams.posted[-1].card["fallbackText"] == "Long"


async def test_in_front_of_others_nothing_is_streamed(teams: TeamsStandIn, bot: RunningBot) -> None:
    await bot.people.say(Person(), GROUP, "explain")
    await bot.channel.post(bot.product.place, LONG, "k")
    assert (teams.streams, teams.posted[-1].card["fallbackText"]) == ({}, "Long")


@pytest.mark.parametrize(
    "card",
    [
        replace(LONG, kind="answer"),
        replace(LONG, elements=(*LONG.elements, Actions(buttons=(BUTTON,)))),
        Card(kind="reply", fallback="Hello", elements=(Paragraph(spans=(Span(text="Hello"),)),)),
    ],
)
def test_what_is_short_or_has_buttons_is_posted_whole(card: Card) -> None:
    assert streamed_words(card) == ""


def test_each_step_goes_on_from_the_one_before_and_none_says_all() -> None:
    steps = list(grown(WORDS))
    assert all(later.startswith(earlier) for earlier, later in zip(steps, [*steps[1:], WORDS], strict=True))
    assert steps[-1] != WORDS
    assert list(grown("x" * 900)) == []
