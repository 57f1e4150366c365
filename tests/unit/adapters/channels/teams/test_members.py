from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.channels.teams.addresses import Scope, TeamsAddress, write_address
from adapters.channels.teams.members import TeamsMembers
from adapters.channels.teams.thread_ids import TeamsThread, teams_thread
from agent.values.turn import Place
from cards.errors import DeliveryRefused
from tests.fakes.teams.connector import TENANT, TeamsStandIn, teams_stand_in

CHANNEL = "19:253b1f341670408fb6fe51050b6e5ceb@thread.tacv2"
ANA = {
    "id": "29:ana",
    "name": "Ana",
    "aadObjectId": "a11ce000-0000-4000-8000-000000000001",
    "email": "ana@home.example",
    "tenantId": TENANT,
    "userRole": "user",
}


@pytest.fixture
async def teams() -> AsyncIterator[TeamsStandIn]:
    async with teams_stand_in() as stand_in:
        stand_in.meet(CHANNEL, "channel")
        yield stand_in


def place(teams: TeamsStandIn, conversation: str = CHANNEL, scope: Scope = "channel") -> Place:
    thread = TeamsThread(tenant=TENANT, conversation=conversation, root="1")
    address = TeamsAddress(
        service_url=teams.service_url, conversation_id=thread.conversation_id, scope=scope, bot_id="28:bot"
    )
    return Place(thread=teams_thread(thread), address=write_address(address))


async def test_a_channel_is_read_by_its_members_and_asked_for_once(teams: TeamsStandIn) -> None:
    teams.members[CHANNEL] = [ANA]
    members = TeamsMembers(teams.config())
    found = await members.readers(place(teams), 10)
    await members.readers(place(teams), 10)
    assert [(user.user_id, user.email) for user in found.people] == [(ANA["aadObjectId"], "ana@home.example")]
    assert (found.is_alone, found.is_whole, found.is_external) == (False, True, False)
    assert teams.requests["GET"] == 1


async def test_a_personal_chat_is_alone(teams: TeamsStandIn) -> None:
    assert (await TeamsMembers(teams.config()).readers(place(teams, "a:1", "dm"), 10)).is_alone
    assert teams.requests["GET"] == 0


@pytest.mark.parametrize(
    "outsider",
    [
        {**ANA, "userRole": "guest"},
        {**ANA, "userRole": "anonymous", "aadObjectId": None},
        {**ANA, "tenantId": "7e4a0000-0000-4000-8000-00000000beef"},
    ],
)
async def test_guests_the_nameless_and_other_tenants_are_outside(teams: TeamsStandIn, outsider: dict[str, Any]) -> None:
    teams.members[CHANNEL] = [ANA, outsider]
    found = await TeamsMembers(teams.config()).readers(place(teams), 10)
    assert found.is_external
    assert found.people[1].email is None


async def test_more_people_than_are_looked_at_are_unknown_people(teams: TeamsStandIn) -> None:
    teams.members[CHANNEL] = [{**ANA, "aadObjectId": f"a{number}"} for number in range(60)]
    found = await TeamsMembers(teams.config()).readers(place(teams), 20)
    assert (found.is_whole, len(found.people)) == (False, 20)


async def test_a_conversation_that_is_gone_raises(teams: TeamsStandIn) -> None:
    with pytest.raises(DeliveryRefused):
        await TeamsMembers(teams.config()).readers(place(teams, "19:gone@thread.tacv2"), 10)
