import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.standing import PostgresStandingStore
from agent.values.identity import PrincipalId, RunId
from agent.values.standing import StandingApproval
from bot.ports import StandingStore
from semantic_catalog.model import DomainName
from tests.fakes.stores import InMemoryStandingStore

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
ANA, BEN = PrincipalId("ana"), PrincipalId("ben")
GIVEN = StandingApproval(
    id="A1",
    kind="k1",
    domain=DomainName("payments"),
    asker=ANA,
    granted_by=BEN,
    granted_by_name="Ben",
    granted_at=NOON,
    expires_at=NOON + timedelta(days=30),
    run=RunId("run-1"),
    level="routine",
    title="Approval rate by channel",
)


@pytest.fixture(params=["postgres", "memory"])
def store(request: pytest.FixtureRequest) -> StandingStore:
    if request.param == "memory":
        return InMemoryStandingStore()
    pool: Pool = request.getfixturevalue("control")
    return PostgresStandingStore(pool)


async def test_an_approval_is_found_for_its_kind_and_its_asker_only(store: StandingStore) -> None:
    assert await store.find("k1", ANA, NOON) is None
    assert await store.add(GIVEN)
    assert await store.find("k1", ANA, NOON) == GIVEN
    assert await store.find("k2", ANA, NOON) is None
    assert await store.find("k1", BEN, NOON) is None


async def test_an_approval_ends_at_its_time(store: StandingStore) -> None:
    await store.add(GIVEN)
    assert await store.find("k1", ANA, GIVEN.expires_at - timedelta(seconds=1)) == GIVEN
    assert await store.find("k1", ANA, GIVEN.expires_at) is None
    assert await store.in_force(GIVEN.expires_at) == ()


async def test_of_several_given_at_once_one_is_kept(store: StandingStore) -> None:
    given = [replace(GIVEN, id=f"A{number}") for number in range(6)]
    kept = await asyncio.gather(*(store.add(approval) for approval in given))
    assert kept.count(True) == 1
    assert await store.find("k1", ANA, NOON) == given[kept.index(True)]


async def test_a_revoked_approval_holds_no_more_and_may_be_given_again(store: StandingStore) -> None:
    await store.add(GIVEN)
    assert await store.revoke("A1", NOON) == GIVEN
    assert await store.revoke("A1", NOON) is None
    assert await store.find("k1", ANA, NOON) is None
    again = replace(GIVEN, id="A2")
    assert await store.add(again)
    assert await store.find("k1", ANA, NOON) == again


async def test_an_ended_approval_gives_up_its_place_and_cannot_be_revoked(store: StandingStore) -> None:
    await store.add(GIVEN)
    later = GIVEN.expires_at
    assert await store.revoke("A1", later) is None
    next_one = replace(GIVEN, id="A2", granted_at=later, expires_at=later + timedelta(days=1))
    assert await store.add(next_one)
    assert await store.find("k1", ANA, later) == next_one


async def test_those_in_force_are_listed_oldest_first(store: StandingStore) -> None:
    newer = replace(GIVEN, id="A2", kind="k2", granted_at=NOON + timedelta(minutes=1))
    await store.add(newer)
    await store.add(GIVEN)
    await store.add(replace(GIVEN, id="A3", kind="k3"))
    await store.revoke("A3", NOON)
    assert await store.in_force(NOON + timedelta(minutes=2)) == (GIVEN, newer)
