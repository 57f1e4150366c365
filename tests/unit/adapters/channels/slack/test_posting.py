import asyncio

import pytest

from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.streams import LONG_CHARACTERS, chunks, streamed_words
from agent.values.identity import ExternalUser, RunId, TenantId, ThreadKey, UserId
from agent.values.outcome import Suggestion
from agent.values.turn import CardAction, Place
from agent.wording.texts import say
from cards.build.clarification import clarification_card
from cards.build.phrases import suggestion_buttons
from cards.build.progress import progress_card
from cards.elements import Button, Card, Paragraph, Span
from cards.errors import DeliveryRefused
from tests.fakes.slack.workspace import Trouble, Workspace
from tests.unit.cards import samples
from tests.unit.cards.samples import WORDS

ROOT = "1793545100.000100"
PLACE = Place(thread=ThreadKey(f"slack:T0HOME:C0SALES:{ROOT}"), address="")
ANA = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA"), display_name="Ana")
BOB = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0BOB"))
LONG = "Sales fell *because* <!channel> of [fewer](http://evil.example) days & holidays. " * 20


def line(words: str) -> Card:
    return Card(kind="reply", fallback=words, elements=(Paragraph(spans=(Span(text=words),)),))


def explanation(words: str = LONG) -> Card:
    run = RunId("7F3K")
    buttons = suggestion_buttons((Suggestion(label="By brand", question="sales by brand"),), run)
    return Card(
        kind="reply",
        elements=(Paragraph(spans=(Span(text=words),)), *buttons),
        fallback="f",
        addressee=ANA,
    )


async def test_a_card_for_one_person_opens_a_thread_with_them_once(channel: SlackChannel, workspace: Workspace) -> None:
    ref, place = await channel.direct(BOB, line("look"), "k")
    assert place.thread == ref.thread == f"slack:T0HOME:D0BOB:{ref.message_id}"
    assert await channel.direct(BOB, line("look"), "k") == (ref, place)
    assert [message["text"] for message in workspace.conversations["D0BOB"].messages] == ["look"]


async def test_who_wrote_in_a_thread_takes_part(channel: SlackChannel, workspace: Workspace) -> None:
    assert await channel.takes_part(PLACE, ANA)
    assert not await channel.takes_part(PLACE, BOB)
    workspace.say("C0SALES", {"user": "U0BOB", "text": "me too", "thread_ts": ROOT})
    assert await channel.takes_part(PLACE, BOB)


async def test_a_deactivated_or_unknown_person_is_not_active(channel: SlackChannel, workspace: Workspace) -> None:
    assert await channel.is_active(ANA)
    workspace.users["U0ANA"]["deleted"] = True
    assert not await channel.is_active(ANA)
    del workspace.users["U0BOB"]
    assert not await channel.is_active(BOB)


async def test_a_notice_can_carry_buttons(channel: SlackChannel, workspace: Workspace) -> None:
    ask = Button(label="Request access…", action=CardAction(verb="request_access", run=RunId("7F3K")))
    await channel.offer(PLACE, BOB, "You can’t approve <this>.", (ask,), "en")
    [shown] = workspace.ephemerals
    assert shown["user"] == "U0BOB"
    assert shown["text"] == "You can’t approve &lt;this&gt;."
    assert [block["type"] for block in shown["blocks"]] == ["rich_text", "actions"]


async def test_a_thread_whose_first_message_is_gone_goes_on_in_the_conversation(
    channel: SlackChannel, workspace: Workspace
) -> None:
    workspace.conversations["C0SALES"].messages.clear()
    ref = await channel.post(PLACE, line("answer"), "k")
    [message] = workspace.conversations["C0SALES"].messages
    assert (message["ts"], message.get("thread_ts")) == (ref.message_id, None)
    await channel.update(PLACE, ref, line("redrawn"))
    assert message["text"] == "redrawn"


async def test_an_archived_conversation_refuses_for_good(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.conversations["C0SALES"].is_archived = True
    with pytest.raises(DeliveryRefused) as refused:
        await channel.post(PLACE, line("answer"), "k")
    assert refused.value.detail == "chat.postMessage: is_archived"


async def test_progress_is_a_plan_and_text_where_no_plans_are_taken(
    channel: SlackChannel, workspace: Workspace
) -> None:
    card = progress_card(RunId("7F3K"), "en", "running", ("understanding",))
    ref = await channel.post(PLACE, card, "k1")
    first = workspace.message("C0SALES", ref.message_id)
    assert [task["status"] for task in first["blocks"][0]["tasks"]] == ["complete", "in_progress"]
    workspace.takes_plans = False
    await channel.update(PLACE, ref, card)
    assert first["blocks"][0]["text"]["text"] == "Understanding → Running"
    assert first["blocks"][1]["type"] == "actions"
    before = len(workspace.called("chat.postMessage"))
    await channel.post(PLACE, card, "k2")
    assert len(workspace.called("chat.postMessage")) == before + 1


async def test_a_long_explanation_grows_and_ends_with_its_buttons(channel: SlackChannel, workspace: Workspace) -> None:
    ref = await channel.post(PLACE, explanation(), "k")
    message = workspace.message("C0SALES", ref.message_id)
    assert len(workspace.called("chat.appendStream")) > 1
    assert workspace.called("chat.startStream")[0]["recipient_user_id"] == "U0ANA"
    assert "&lt;\\!channel\\>" in message["text"]
    assert [block["type"] for block in message["blocks"]] == ["actions"]
    assert message["metadata"]["event_payload"] == {"key": "k"}
    assert workspace.called("chat.postMessage") == []


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
async def test_what_cannot_be_streamed_is_an_ordinary_message(
    channel: SlackChannel, workspace: Workspace, method: str
) -> None:
    workspace.trouble(method, Trouble(error="unknown_method"))
    ref = await channel.post(PLACE, explanation(), "k")
    message = workspace.message("C0SALES", ref.message_id)
    assert [block["type"] for block in message["blocks"]] == ["rich_text", "actions"]
    assert len(workspace.thread("C0SALES", ROOT)) == 1


def test_only_long_replies_are_streamed_and_every_word_arrives() -> None:
    assert streamed_words(explanation("short")) == ""
    assert streamed_words(line("x " * LONG_CHARACTERS)) == ""
    words = streamed_words(explanation())
    assert "".join(chunks(words)) == words
    assert "".join(chunks("x" * 2000)) == "x" * 2000


async def test_the_asked_person_is_mentioned_where_others_read_along(
    channel: SlackChannel, workspace: Workspace
) -> None:
    card = clarification_card(samples.clarification(WORDS["en"]))
    asked = Card(kind=card.kind, elements=card.elements, fallback=card.fallback, locale=card.locale, addressee=ANA)
    ref = await channel.post(PLACE, asked, "k")
    message = workspace.message("C0SALES", ref.message_id)
    assert message["text"].startswith("<@U0ANA> ")
    assert message["blocks"][0]["elements"][0]["elements"] == [{"type": "user", "user_id": "U0ANA"}]


async def test_posts_that_are_too_many_wait_as_long_as_slack_says(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.posts_a_second = 1
    await asyncio.gather(*(channel.post(PLACE, line(f"{number}"), f"k{number}") for number in range(2)))
    assert {message["text"] for message in workspace.thread("C0SALES", ROOT)} == {"0", "1"}


def test_the_status_words_exist_in_every_language() -> None:
    assert {say(locale, "dialog.working") for locale in ("en", "es", "ru")} == {
        "is working on it",
        "está trabajando en ello",
        "работает над вопросом",
    }
