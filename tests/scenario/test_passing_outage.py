from collections.abc import AsyncIterator

import pytest

from bot.demo.state import DomainData
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay
from tests.fakes.teams.connector import teams_stand_in
from tests.fakes.teams.people import GROUP, TeamsClient
from tests.fakes.teams.posted import Failure
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.teams import ANA, PUBLIC, Talk, cards, shown

QUESTION = "Top 10 merchants by processed amount last month"
VAGUE = "approval rate of Visa"
APOLOGY = "cannot be reached"


@pytest.fixture
async def warehouse(payments: DomainData) -> AsyncIterator[Relay]:
    async with open_relay(socket_of(payments.reader_url)) as relay:
        yield relay


@pytest.fixture
async def talk(settings_of: MakeSettings, payments: DomainData, warehouse: Relay) -> AsyncIterator[Talk]:
    urls = {"payments": f"postgresql://agent_reader@127.0.0.1:{warehouse.port}/{payments.name}"}
    settings = settings_of(**PUBLIC, warehouse_urls=urls, warehouse_failures=1, warehouse_rest_seconds=1)
    async with teams_stand_in() as teams, running_bot(settings, teams.config().endpoints) as bot:
        yield Talk(client=TeamsClient(teams=teams, bot_url=f"{bot.url}/api/messages"), conversation=GROUP)


async def test_a_platform_that_takes_nothing_is_not_told_so(talk: Talk) -> None:
    await talk.say(ANA, QUESTION)
    await talk.card("approve")
    talk.teams.failures += [Failure(status=200, done=True), Failure(status=502)]
    await talk.say(ANA, "stop")
    await talk.says("Nothing of yours is running or waiting")
    assert len(cards(talk.teams, talk.thread)) == 2


async def test_what_kept_a_question_is_not_said_for_ever_where_it_was_taken_back(talk: Talk, warehouse: Relay) -> None:
    await talk.say(ANA, VAGUE)
    asked = await talk.card("choose")
    await warehouse.shut()
    await talk.press(ANA, asked, "choose")
    apology = await talk.says(APOLOGY)
    await talk.say(ANA, "stop")
    await talk.says("1 question stopped")
    await warehouse.open()
    await talk.says("No longer queued")
    assert APOLOGY not in shown(apology)
