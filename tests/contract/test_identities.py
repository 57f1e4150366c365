from dataclasses import replace

import pytest

from adapters.control.postgres.connections import Pool
from adapters.control.postgres.identities import PostgresSeenIdentities
from agent.values.identity import ExternalUser, PrincipalId, TenantId, UserId
from bot.ports import SeenIdentities
from tests.fakes.stores import InMemoryIdentities

ANA = PrincipalId("ana")
IN_SLACK = ExternalUser(channel="slack", tenant=TenantId("T1"), user_id=UserId("U1"), display_name="Ana", email="a@b.c")
IN_TEAMS = ExternalUser(channel="teams", tenant=TenantId("t"), user_id=UserId("o1"))


@pytest.fixture(params=["postgres", "memory"])
def seen(request: pytest.FixtureRequest) -> SeenIdentities:
    if request.param == "memory":
        return InMemoryIdentities()
    pool: Pool = request.getfixturevalue("control")
    return PostgresSeenIdentities(pool)


async def test_nobody_was_seen_yet(seen: SeenIdentities) -> None:
    assert await seen.of(ANA) == ()


async def test_the_last_id_on_each_platform_is_kept(seen: SeenIdentities) -> None:
    await seen.put(ANA, replace(IN_SLACK, user_id=UserId("U0")))
    await seen.put(ANA, IN_TEAMS)
    await seen.put(ANA, IN_SLACK)
    await seen.put(PrincipalId("bob"), IN_TEAMS)
    assert await seen.of(ANA) == (IN_SLACK, IN_TEAMS)
