import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from adapters.channels.slack.clients import SlackClients, slack_clients
from adapters.channels.slack.outbound import SlackChannel
from adapters.channels.slack.thread_ids import NotASlackThread
from adapters.channels.slack.uploads import MOST_BYTES
from agent.values.identity import ExternalUser, RunId, TenantId, ThreadKey, UserId
from agent.values.turn import CardAction, CardRef, Place
from cards.elements import Actions, Attachment, Button, Card, Heading, Paragraph, Span, Table, TableColumn
from cards.errors import DeliveryRefused, DeliveryUnavailable
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import Json, Trouble, Workspace

ROOT = "1793545100.000100"
THREAD = ThreadKey(f"slack:T0HOME:C0SALES:{ROOT}")
PLACE = Place(thread=THREAD, address="")
ANA = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA"))
RUN = RunId("7F3K")
CHART = Attachment(
    key="chart", name="chart.png", media_type="image/png", title="Approval rate", content=b"\x89PNG data"
)


def _card(text: str = "86.9 %", *more: Actions | Table) -> Card:
    return Card(
        kind="answer",
        elements=(Heading(text="Approval rate"), Paragraph(spans=(Span(text=text),)), *more),
        fallback=f"Approval rate: {text}",
    )


def _replies(workspace: Workspace) -> list[Json]:
    return workspace.thread("C0SALES", ROOT)


async def test_a_card_stands_in_its_thread(channel: SlackChannel, workspace: Workspace) -> None:
    ref = await channel.post(PLACE, _card(), "7F3K:end")
    [message] = _replies(workspace)
    assert ref == CardRef(thread=THREAD, message_id=message["ts"])
    assert message["text"] == "Approval rate: 86.9 %"
    assert message["blocks"][0]["text"]["text"] == "Approval rate"
    assert message["metadata"]["event_payload"] == {"key": "7F3K:end"}


async def test_nothing_in_a_card_pings_or_links(channel: SlackChannel, workspace: Workspace) -> None:
    hostile = "<!channel> <@U0BOB> <https://evil.example|login> & *bold*"
    await channel.post(PLACE, _card(hostile), "key")
    [message] = _replies(workspace)
    assert "<" not in message["text"]
    assert message["blocks"][1]["elements"][0]["elements"][0] == {"type": "text", "text": hostile}
    assert {"mrkdwn", "user", "link", "channel"}.isdisjoint(_types(message["blocks"]))


async def test_a_card_past_every_limit_is_still_taken(channel: SlackChannel, workspace: Workspace) -> None:
    columns = tuple(TableColumn(label=f"column {number}") for number in range(40))
    table = Table(columns=columns, rows=tuple(tuple("x" * 500 for _ in columns) for _ in range(300)))
    action = CardAction(verb="ask", value="why")
    buttons = Actions(buttons=tuple(Button(label="b" * 200, action=action) for _ in range(60)))
    await channel.post(PLACE, _card("word " * 5000, table, buttons), "key")
    assert len(_replies(workspace)) == 1


async def test_an_illegal_payload_fails_the_test_that_sends_it(clients: SlackClients, workspace: Workspace) -> None:
    with pytest.raises(Exception, match="invalid_blocks"):
        await clients.once.chat_postMessage(channel="C0SALES", text="x", blocks=[{"type": "header"}])
    assert workspace.faults == ["chat.postMessage: blocks[0](header): lacks text"]
    workspace.faults.clear()


async def test_a_redrawn_card_keeps_its_place_and_its_blocks(channel: SlackChannel, workspace: Workspace) -> None:
    ref = await channel.post(PLACE, _card("running"), "key")
    await channel.update(PLACE, ref, _card("done"))
    [message] = _replies(workspace)
    assert message["ts"] == ref.message_id
    assert message["text"] == "Approval rate: done"
    assert message["blocks"][1]["elements"][0]["elements"][0]["text"] == "done"


@pytest.mark.parametrize("ts", ["1793545100.999999", ROOT])
async def test_only_cards_of_ours_can_be_redrawn(channel: SlackChannel, ts: str) -> None:
    with pytest.raises(DeliveryRefused, match=r"chat.update: (message_not_found|cant_update_message)"):
        await channel.update(PLACE, CardRef(thread=THREAD, message_id=ts), _card())


async def test_the_same_key_posts_once(channel: SlackChannel, workspace: Workspace) -> None:
    first = await channel.post(PLACE, _card(), "key")
    assert await channel.post(PLACE, _card(), "key") == first
    assert len(_replies(workspace)) == 1


async def test_a_post_that_waits_when_told_to(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.trouble("chat.postMessage", Trouble(retry_after=0))
    await channel.post(PLACE, _card(), "key")
    assert len(workspace.called("chat.postMessage")) == 2
    assert len(_replies(workspace)) == 1


async def test_a_post_that_timed_out_but_arrived_is_found(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.trouble("chat.postMessage", Trouble(silent=True, done=True))
    ref = await channel.post(PLACE, _card(), "key")
    assert [message["ts"] for message in _replies(workspace)] == [ref.message_id]


async def test_a_post_that_timed_out_and_is_not_there_is_repeated(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.trouble("chat.postMessage", Trouble(silent=True))
    ref = await channel.post(PLACE, _card(), "key")
    assert [message["ts"] for message in _replies(workspace)] == [ref.message_id]


async def test_a_lost_post_is_found_on_a_later_page_of_a_long_thread(
    channel: SlackChannel, workspace: Workspace
) -> None:
    for number in range(450):
        workspace.say("C0SALES", {"user": "U0ANA", "text": str(number), "thread_ts": ROOT})
    workspace.trouble("chat.postMessage", Trouble(status=502, done=True))
    ref = await channel.post(PLACE, _card(), "key")
    assert ref.message_id == _replies(workspace)[-1]["ts"]
    assert len(_replies(workspace)) == 451


async def test_a_post_in_doubt_is_looked_for_before_it_is_tried_again(
    channel: SlackChannel, workspace: Workspace
) -> None:
    workspace.trouble("chat.postMessage", Trouble(status=500, done=True))
    workspace.trouble("conversations.replies", *[Trouble(error="internal_error")])
    with pytest.raises(DeliveryUnavailable, match=r"conversations.replies: internal_error"):
        await channel.post(PLACE, _card(), "key")
    ref = await channel.post(PLACE, _card(), "key")
    assert [message["ts"] for message in _replies(workspace)] == [ref.message_id]


@pytest.mark.parametrize(("conversation", "error"), [("C0NONE", "channel_not_found"), ("C0ALONE", "not_in_channel")])
async def test_a_conversation_without_us_refuses(channel: SlackChannel, conversation: str, error: str) -> None:
    place = Place(thread=ThreadKey(f"slack:T0HOME:{conversation}:{ROOT}"), address="")
    with pytest.raises(DeliveryRefused, match=error):
        await channel.post(place, _card(), "key")


async def test_a_thread_of_another_channel_is_not_ours(channel: SlackChannel) -> None:
    with pytest.raises(NotASlackThread):
        await channel.post(Place(thread=ThreadKey("console:main"), address=""), _card(), "key")


async def test_a_wrong_token_is_refused(server: SlackServer) -> None:
    async with slack_clients("xoxb-other", server.api) as others:
        with pytest.raises(DeliveryRefused, match=r"chat.postMessage: invalid_auth") as caught:
            await SlackChannel(others).post(PLACE, _card(), "key")
    assert "xoxb" not in str(caught.value)


async def test_without_slack_deliveries_are_unavailable() -> None:
    async with slack_clients("xoxb-test", "http://127.0.0.1:1/api/") as nowhere:
        with pytest.raises(DeliveryUnavailable, match="ClientConnectorError"):
            await SlackChannel(nowhere, pace_seconds=0).post(PLACE, _card(), "key")


async def test_an_error_never_repeats_what_was_sent(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.trouble("files.getUploadURLExternal", Trouble(error="not_allowed_token_type"))
    with pytest.raises(DeliveryRefused) as caught:
        await channel.attach(PLACE, RUN, CHART)
    assert str(caught.value) == "files.upload: not_allowed_token_type"
    assert caught.value.__cause__ is None


async def test_a_file_stands_in_the_thread(channel: SlackChannel, workspace: Workspace) -> None:
    ref = await channel.attach(PLACE, RUN, CHART)
    [file] = workspace.files.values()
    assert (file.name, file.title, file.content) == ("chart.png", "Approval rate", b"\x89PNG data")
    assert (file.channel, file.thread_ts) == ("C0SALES", ROOT)
    assert ref == CardRef(thread=THREAD, message_id=file.message_ts)
    assert await channel.attach(PLACE, RUN, CHART) == ref
    assert len(workspace.files) == 1


def _long(content: bytes) -> Attachment:
    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 1_000):
            yield content[start : start + 1_000]

    return replace(CHART, key="workbook", name="long.xlsx", content=b"", length=len(content), parts=parts)


async def test_a_long_file_goes_up_in_parts(channel: SlackChannel, workspace: Workspace) -> None:
    content = bytes(range(256)) * 20
    ref = await channel.attach(PLACE, RUN, _long(content))
    [file] = workspace.files.values()
    assert (file.name, file.title, file.content) == ("long.xlsx", "Approval rate", content)
    assert (file.channel, file.thread_ts, file.message_ts) == ("C0SALES", ROOT, ref.message_id)


async def test_a_file_that_is_larger_than_slack_takes_is_refused_before_it_is_sent(
    channel: SlackChannel, workspace: Workspace
) -> None:
    with pytest.raises(DeliveryRefused):
        await channel.attach(PLACE, RUN, replace(_long(b""), length=MOST_BYTES + 1))
    assert not workspace.files


async def test_a_file_goes_into_a_direct_conversation(channel: SlackChannel, workspace: Workspace) -> None:
    place = Place(thread=ThreadKey("slack:T0HOME:D0ANA:1793545110.000100"), address="")
    ref = await channel.attach(place, RUN, CHART)
    assert ref.message_id == workspace.conversations["D0ANA"].messages[0]["ts"]


async def test_a_notice_goes_to_one_person(channel: SlackChannel, workspace: Workspace) -> None:
    await channel.notify(PLACE, ANA, "Only <you> see this")
    [shown] = workspace.ephemerals
    assert (shown["user"], shown["thread_ts"], shown["text"]) == ("U0ANA", ROOT, "Only &lt;you&gt; see this")


async def test_a_notice_to_somebody_outside_is_not_shown(channel: SlackChannel, workspace: Workspace) -> None:
    eve = ExternalUser(channel="slack", tenant=TenantId("T0OTHER"), user_id=UserId("U0EVE"))
    await channel.notify(PLACE, eve, "Not for you")
    assert workspace.ephemerals == []


async def test_posts_into_one_conversation_keep_their_distance(clients: SlackClients, workspace: Workspace) -> None:
    slow = SlackChannel(clients, pace_seconds=0.2)
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(slow.post(PLACE, _card(), str(number)) for number in range(3)))
    assert asyncio.get_running_loop().time() - began >= 0.4
    assert len(_replies(workspace)) == 3


def _types(node: object) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_types, node))
    if isinstance(node, dict):
        return {str(node.get("type"))}.union(*map(_types, node.values()))
    return set()
