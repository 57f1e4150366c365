from dataclasses import replace

import pytest

from adapters.channels.teams.conversations import SeenConversations, SeenHere
from adapters.control.postgres.cards import PostgresCardStore
from adapters.control.postgres.connections import Pool
from adapters.control.postgres.conversations import PostgresSeenConversations
from agent.values.identity import RunId, TenantId, ThreadKey
from agent.values.turn import CardRef, Place, SeenConversation

TENANT = TenantId("t")
GROUP = SeenConversation(channel="teams", tenant=TENANT, conversation="19:g", address="g")
OWN = SeenConversation(channel="teams", tenant=TENANT, conversation="a:1", address="a", person="ana")


@pytest.fixture(params=["postgres", "memory"])
def seen(request: pytest.FixtureRequest) -> SeenConversations:
    if request.param == "memory":
        return SeenHere()
    pool: Pool = request.getfixturevalue("control")
    return PostgresSeenConversations(pool)


async def test_nothing_was_heard_yet(seen: SeenConversations) -> None:
    assert await seen.get("teams", TENANT, "19:g") is None
    assert await seen.of_person("teams", TENANT, "ana") is None
    assert await seen.newest("teams", TENANT) is None


async def test_the_newest_address_of_a_conversation_stays(seen: SeenConversations) -> None:
    await seen.put(GROUP)
    await seen.put(replace(GROUP, address="moved"))
    found = await seen.get("teams", TENANT, "19:g")
    assert found == replace(GROUP, address="moved")


async def test_a_persons_own_conversation_is_found_by_the_person(seen: SeenConversations) -> None:
    await seen.put(OWN)
    await seen.put(replace(OWN, conversation="a:2", person="bob"))
    await seen.put(replace(OWN, tenant=TenantId("other"), conversation="a:3"))
    assert await seen.of_person("teams", TENANT, "ana") == OWN
    assert await seen.of_person("slack", TENANT, "ana") is None


async def test_the_conversation_heard_from_last_is_the_newest_of_its_tenant(seen: SeenConversations) -> None:
    await seen.put(GROUP)
    await seen.put(OWN)
    assert await seen.newest("teams", TENANT) == OWN
    await seen.put(GROUP)
    assert await seen.newest("teams", TENANT) == GROUP


async def test_a_message_names_its_run(control: Pool) -> None:
    cards, ref = PostgresCardStore(control), CardRef(thread=ThreadKey("teams:t:19%3Ag"), message_id="17")
    await cards.put(RunId("RUN7"), "end", ref, Place(thread=ref.thread, address=""))
    assert await cards.run_of(ref) == "RUN7"
    assert await cards.run_of(replace(ref, message_id="18")) is None
    assert await cards.run_of(replace(ref, thread=ThreadKey("teams:t:19%3Ah"))) is None
