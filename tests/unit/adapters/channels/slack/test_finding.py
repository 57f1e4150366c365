from dataclasses import replace

import pytest

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.outbound import SlackChannel
from agent.values.identity import ExternalUser, RunId, TenantId, ThreadKey, UserId
from agent.values.turn import Place
from cards.elements import Card, Heading
from cards.errors import DeliveryBusy
from tests.contract.channel_contract import WORKBOOK
from tests.fakes.slack.workspace import Trouble, Workspace

ROOT = "1793545100.000100"
PLACE = Place(thread=ThreadKey(f"slack:T0HOME:C0SALES:{ROOT}"), address="")
BOB = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0BOB"))
CARD = Card(kind="reply", fallback="86.9 %", elements=(Heading(text="Approval rate"),))


@pytest.fixture
def other_process(clients: SlackClients) -> SlackChannel:
    return SlackChannel(clients, pace_seconds=0)


async def test_another_process_finds_a_card_by_its_key(channel: SlackChannel, other_process: SlackChannel) -> None:
    ref = await channel.post(PLACE, CARD, "RUN7:end")
    assert await other_process.find(PLACE, "RUN7:end") == ref
    assert await other_process.find(PLACE, "RUN7:proposal:1") is None


async def test_a_redrawn_card_is_still_found(channel: SlackChannel, other_process: SlackChannel) -> None:
    ref = await channel.post(PLACE, CARD, "RUN7:end")
    await channel.update(PLACE, ref, replace(CARD, fallback="87 %"))
    assert await other_process.find(PLACE, "RUN7:end") == ref


async def test_a_card_beside_a_thread_whose_root_is_gone_is_found(
    channel: SlackChannel, other_process: SlackChannel, workspace: Workspace
) -> None:
    workspace.conversations["C0SALES"].messages.clear()
    ref = await channel.post(PLACE, CARD, "RUN7:end")
    assert await other_process.find(PLACE, "RUN7:end") == ref


async def test_another_process_finds_a_file_of_the_run(channel: SlackChannel, other_process: SlackChannel) -> None:
    assert await other_process.find_file(PLACE, RunId("RUN7"), WORKBOOK) is None
    ref = await channel.attach(PLACE, RunId("RUN7"), WORKBOOK)
    assert await other_process.find_file(PLACE, RunId("RUN7"), WORKBOOK) == ref


async def test_another_process_finds_a_card_that_went_to_one_person(
    channel: SlackChannel, other_process: SlackChannel
) -> None:
    assert await other_process.find_direct(BOB, "RUN7:copy") is None
    posted = await channel.direct(BOB, CARD, "RUN7:copy")
    assert await other_process.find_direct(BOB, "RUN7:copy") == posted


async def test_a_long_pause_is_left_to_whoever_can_wait(channel: SlackChannel, workspace: Workspace) -> None:
    workspace.trouble("chat.postMessage", Trouble(retry_after=60))
    with pytest.raises(DeliveryBusy) as told:
        await channel.post(PLACE, CARD, "RUN7:end")
    assert told.value.retry_after == 60
    assert len(workspace.called("chat.postMessage")) == 1
