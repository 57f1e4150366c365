from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from adapters.channels.teams.addresses import read_address
from agent.values.turn import CardRef, Place
from tests.contract.channel_contract import ChannelContract, Rig
from tests.fakes.teams.bot import RunningBot, running_bot
from tests.fakes.teams.connector import TeamsStandIn, teams_stand_in
from tests.fakes.teams.people import CHANNEL, PERSONAL, Conversation, Person
from tests.fakes.teams.posted import Failure, Posted

ANA = Person()


@dataclass(frozen=True, kw_only=True)
class Teams:
    """Teams, as the contract looks at it."""

    teams: TeamsStandIn

    def lines(self, place: Place) -> list[str]:
        return [_line(message) for message in self.teams.in_conversation(read_address(place.address).conversation_id)]

    def fail_next(self, times: int) -> None:
        self.teams.failures = [Failure(status=429)] * times

    def lose(self, ref: CardRef) -> None:
        next(message for message in self.teams.posted if message.id == ref.message_id).is_deleted = True


def _line(message: Posted) -> str:
    if "text" in message.activity:
        return str(message.activity["text"])
    for button in message.attachment["content"].get("actions", []):
        # A link names the run; its workbook is named after it.
        return f"countersign-{button['url'].rpartition('/')[2].partition('-')[0]}.xlsx"
    return str(message.attachment.get("name") or message.card["fallbackText"])


async def _place(bot: RunningBot, conversation: Conversation) -> Place:
    await bot.people.say(ANA, conversation, "approval rate")
    return bot.product.place


@pytest.mark.parametrize("rig", [PERSONAL, CHANNEL], indirect=True, ids=["personal", "channel"])
class TestTeamsChannel(ChannelContract):
    @pytest.fixture
    async def rig(self, request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
        other = CHANNEL if request.param is CHANNEL else Conversation(scope="groupChat", id="19:other@thread.v2")
        async with teams_stand_in() as teams, running_bot(teams) as bot:
            place, other_place = await _place(bot, request.param), await _place(bot, other)
            user = bot.product.turns[0].author
            yield Rig(channel=bot.channel, place=place, other_place=other_place, user=user, platform=Teams(teams=teams))
