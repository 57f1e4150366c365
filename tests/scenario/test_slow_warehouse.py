from collections.abc import AsyncIterator

import pytest

from bot.demo.state import DomainData
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay
from tests.fakes.slack.workspace import Workspace
from tests.scenario.conftest import MakeSettings
from tests.scenario.slack import SlackPeople, buttons_of, slack_talk
from tests.scenario.waiting import eventually

QUESTION = "approval rate by channel last month"


@pytest.fixture
async def warehouse(payments: DomainData) -> AsyncIterator[Relay]:
    async with open_relay(socket_of(payments.reader_url)) as relay:
        yield relay


@pytest.fixture
async def people(settings_of: MakeSettings, payments: DomainData, warehouse: Relay) -> AsyncIterator[SlackPeople]:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_talk(
        settings_of,
        workspace,
        warehouse_failures=1,
        warehouse_rest_seconds=1,
        warehouse_urls={"payments": f"postgresql://agent_reader@127.0.0.1:{warehouse.port}/{payments.name}"},
    ) as (present, _):
        yield present


async def test_a_hanging_warehouse_delays_no_acknowledgement(people: SlackPeople, warehouse: Relay) -> None:
    warehouse.freeze()
    said = [people.workspace.say("C0SALES", {"user": "U0ANA", "text": f"<@U0BOT> {QUESTION}"}) for _ in range(3)]
    assert [(await people.deliver(message, user="U0ANA")).status for message in said] == [200, 200, 200]
    assert not any(people.cards(message["ts"]) for message in said)
    warehouse.thaw()
    for message in said:
        await people.card_with(message["ts"], "approve")


async def test_questions_asked_while_the_warehouse_is_away_are_answered_as_soon_as_it_is_back(
    people: SlackPeople, warehouse: Relay
) -> None:
    await warehouse.shut()
    first = await people.mention(QUESTION)
    await people.card_with_text(first, "cannot be reached")
    second = await people.mention(QUESTION)
    await people.card_with_text(second, "The database of Payments does not answer")
    await warehouse.open()
    for root in (first, second):
        await people.card_with(root, "approve")
        assert len(people.cards(root)) == 1


async def test_a_question_that_waits_for_its_thread_says_so_where_its_answer_is_going_to_stand(
    people: SlackPeople, warehouse: Relay
) -> None:
    warehouse.freeze()
    root = await people.mention(QUESTION)
    await people.mention("processed amount last month", thread=root)
    await people.mention("approved transactions last month", thread=root)
    second = await people.card_with_text(root, "Queued, 1 before you")
    third = await people.card_with_text(root, "Queued, 2 before you")
    await people.press(third, "cancel", user="U0BOB")
    await people.press(third, "cancel")
    taken_back = await people.card_with_text(root, "Cancelled")
    warehouse.thaw()

    def proposed() -> list[str] | None:
        found = [str(card["ts"]) for card in people.cards(root) if buttons_of(card, "approve")]
        return found if len(found) == 2 else None

    assert second["ts"] in await eventually(proposed, "two proposals")
    assert taken_back["ts"] == third["ts"]
    assert len(people.cards(root)) == 3
