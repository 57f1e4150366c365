import asyncio
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from agent.values.identity import RunId
from agent.values.turn import Place
from cards.elements import Attachment, Card, Paragraph, Picture, Span
from cards.errors import DeliveryBusy, DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn
from tests.fakes.teams.people import CHANNEL, GROUP, PERSONAL, Conversation, Person
from tests.fakes.teams.posted import Failure
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS

ANA = Person()
RUN = RunId("RUN7")
CARD = Card(kind="reply", fallback="Hello", elements=(Paragraph(spans=(Span(text="Hello"),)),))
REDRAWN = Card(kind="reply", fallback="Hello again", elements=(Paragraph(spans=(Span(text="Hello again"),)),))
WORKBOOK = Attachment(
    key="workbook",
    name="countersign-RUN7.xlsx",
    media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    title="Approval rate by channel",
    content=b"PK" * 500,
)


def _chart(width: int, height: int) -> Attachment:
    written = BytesIO()
    Image.effect_noise((width, height), 90).convert("RGB").save(written, "PNG")
    return Attachment(
        key="chart", name="chart.png", media_type="image/png", title="", content=written.getvalue(), alt="A line"
    )


async def _asked(bot: RunningBot, conversation: Conversation) -> Place:
    await bot.people.say(ANA, conversation, "approval rate")
    return bot.product.place


@pytest.mark.parametrize("conversation", [PERSONAL, GROUP, CHANNEL])
async def test_a_card_is_posted_where_it_was_asked_for(
    teams: TeamsStandIn, bot: RunningBot, conversation: Conversation
) -> None:
    root = await bot.people.say(ANA, conversation, "approval rate")
    ref = await bot.channel.post(bot.product.place, CARD, "k")
    (message,) = teams.in_conversation(conversation.thread(root))
    assert (message.id, ref.thread) == (ref.message_id, bot.product.turn.thread)
    assert message.card["fallbackText"] == "Hello"
    assert message.activity["summary"] == "Hello"
    assert "replyToId" not in message.activity


async def test_the_same_key_is_posted_once(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    assert await bot.channel.post(place, CARD, "k") == await bot.channel.post(place, CARD, "k")
    assert len(teams.posted) == 1


async def test_a_posted_card_is_redrawn(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, CHANNEL)
    ref = await bot.channel.post(place, CARD, "k")
    await bot.channel.update(place, ref, REDRAWN)
    (message,) = teams.posted
    assert message.card["fallbackText"] == "Hello again"
    assert len(message.versions) == 2


async def test_a_card_that_is_gone_cannot_be_redrawn(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, CHANNEL)
    ref = await bot.channel.post(place, CARD, "k")
    teams.posted[0].is_deleted = True
    with pytest.raises(DeliveryRefused, match="update: 404"):
        await bot.channel.update(place, ref, REDRAWN)


async def test_the_bots_own_token_is_fetched_once(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    await asyncio.gather(*(bot.channel.post(place, CARD, f"k{number}") for number in range(4)))
    assert teams.requests["token"] == 1


@pytest.mark.parametrize("status", [429, 412, 503])
async def test_a_send_that_passes_by_itself_is_tried_again(teams: TeamsStandIn, bot: RunningBot, status: int) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=status), Failure(status=status)]
    ref = await bot.channel.post(place, CARD, "k")
    teams.failures = [Failure(status=status)]
    await bot.channel.update(place, ref, REDRAWN)
    assert (teams.requests["POST"], teams.requests["PUT"]) == (3, 2)
    assert len(teams.posted) == 1


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_a_post_that_may_have_arrived_is_not_repeated_behind_the_products_back(
    teams: TeamsStandIn, bot: RunningBot, status: int
) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=status)]
    with pytest.raises(DeliveryUnavailable, match=f"post: {status}") as told:
        await bot.channel.post(place, CARD, "k")
    assert not isinstance(told.value, DeliveryBusy)
    assert teams.requests["POST"] == 1


async def test_a_long_pause_is_left_to_whoever_can_wait(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=429, retry_after=60)]
    with pytest.raises(DeliveryBusy) as told:
        await bot.channel.post(place, CARD, "k")
    assert told.value.retry_after == 60
    assert teams.requests["POST"] == 1


async def test_the_pause_that_teams_asks_for_is_kept(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=429, retry_after=1)]
    loop = asyncio.get_running_loop()
    began = loop.time()
    await bot.channel.post(place, CARD, "k")
    assert loop.time() - began >= 1


async def test_a_send_is_not_tried_for_ever(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=503)] * 9
    with pytest.raises(DeliveryUnavailable, match="post: 503"):
        await bot.channel.post(place, CARD, "k")
    assert teams.requests["POST"] == 4


@pytest.mark.parametrize("status", [400, 403, 404, 413])
async def test_what_teams_refuses_for_good_is_not_tried_again(
    teams: TeamsStandIn, bot: RunningBot, status: int
) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=status)]
    with pytest.raises(DeliveryRefused, match=f"post: {status}"):
        await bot.channel.post(place, CARD, "k")
    assert teams.requests["POST"] == 1


async def test_a_refused_token_is_fetched_anew(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    teams.failures = [Failure(status=401)]
    with pytest.raises(DeliveryUnavailable, match="post: 401"):
        await bot.channel.post(place, CARD, "k")
    await bot.channel.post(place, CARD, "k")
    assert teams.requests["token"] == 2


async def test_without_a_token_nothing_is_sent(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    bot.channel.adapter.rest.token.forget()
    teams.token_status = 503
    with pytest.raises(DeliveryUnavailable, match="token: 503"):
        await bot.channel.post(place, CARD, "k")
    assert teams.requests["POST"] == 0


async def test_a_wrong_app_password_is_named_without_being_shown(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    async with running_bot(teams, app_password="not the password") as other:
        with pytest.raises(DeliveryUnavailable, match=r"^token: 401$"):
            await other.channel.post(place, CARD, "k")


async def test_a_teams_that_does_not_answer_is_unavailable(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    nowhere = replace(place, address=place.address.replace(teams.service_url, "http://127.0.0.1:9/"))
    async with running_bot(teams) as other:
        with pytest.raises(DeliveryUnavailable, match="post: no answer"):
            await other.channel.post(nowhere, CARD, "k")


@pytest.mark.parametrize("address", ["", "{", "{}", "null", '{"service_url": 5}'])
async def test_an_address_of_another_channel_is_refused(bot: RunningBot, address: str) -> None:
    place = await _asked(bot, GROUP)
    with pytest.raises(DeliveryRefused):
        await bot.channel.post(replace(place, address=address), CARD, "k")


async def test_the_chart_stands_in_its_card_and_is_not_sent_again(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, CHANNEL)
    chart = _chart(600, 300)
    card = Card(
        kind="answer",
        fallback="86.9 %",
        elements=(Picture(attachment="chart", alt="A line"),),
        attachments=(chart, WORKBOOK),
    )
    await bot.channel.post(place, card, "k")
    await bot.channel.attach(place, RUN, chart)
    (message,) = teams.posted
    (picture,) = message.card["body"]
    assert picture["url"].startswith("data:image/png;base64,")
    assert picture["altText"] == "A line"


async def test_a_picture_that_cannot_be_read_is_offered_as_a_file(teams: TeamsStandIn, bot: RunningBot) -> None:
    place = await _asked(bot, GROUP)
    broken = Attachment(key="chart", name="chart.png", media_type="image/png", title="Chart", content=b"not a picture")
    await bot.channel.attach(place, RUN, broken)
    assert teams.posted[0].card["actions"][0]["url"] == "https://bot.example/files/RUN7-chart"


@pytest.mark.parametrize("conversation", [GROUP, CHANNEL])
async def test_among_others_a_workbook_is_a_link(
    teams: TeamsStandIn, bot: RunningBot, conversation: Conversation
) -> None:
    place = await _asked(bot, conversation)
    first = await bot.channel.attach(place, RUN, WORKBOOK)
    assert await bot.channel.attach(place, RUN, WORKBOOK) == first
    (message,) = teams.posted
    assert message.card["actions"] == [
        {"type": "Action.OpenUrl", "title": "Download", "url": "https://bot.example/files/RUN7-workbook"}
    ]
    assert message.activity["summary"] == "Workbook: Approval rate by channel"


async def test_where_there_are_no_links_a_workbook_is_promised_in_a_personal_chat(teams: TeamsStandIn) -> None:
    async with running_bot(teams, has_links=False) as bot:
        place = await _asked(bot, GROUP)
        await bot.channel.attach(place, RUN, WORKBOOK)
    assert "personal chat" in teams.posted[0].activity["text"]


async def test_notices_are_plain_words(teams: TeamsStandIn, bot: RunningBot) -> None:
    for conversation in (PERSONAL, GROUP):
        place = await _asked(bot, conversation)
        await bot.channel.notify(place, bot.product.turns[-1].author, "*not* _markup_")
    assert [(m.activity["text"], m.activity["textFormat"]) for m in teams.posted] == [("*not* _markup_", "plain")] * 2


@pytest.mark.parametrize("locale", ["en", "es", "ru"])
async def test_teams_takes_every_card_in_every_language(teams: TeamsStandIn, bot: RunningBot, locale: Locale) -> None:
    for name, drawn in cards(WORDS[locale]).items():
        place = await _asked(bot, Conversation(scope="channel", id=f"19:{name}@thread.tacv2"))
        await bot.channel.post(place, drawn, name)
        assert teams.posted[-1].activity["summary"] == drawn.fallback
