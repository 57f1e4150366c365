import pytest

from adapters.channels.teams.groups import EntraGroups
from agent.errors import GroupsUnavailable
from agent.values.identity import ExternalUser, TenantId, UserId
from tests.fakes.teams.connector import TENANT, TeamsStandIn

ANA = ExternalUser(channel="teams", tenant=TenantId(TENANT), user_id=UserId("a11ce000-0000-4000-8000-000000000001"))
EVE = ExternalUser(channel="teams", tenant=TenantId(TENANT), user_id=UserId("e0e00000-0000-4000-8000-000000000009"))
LEADS = "1ead5000-0000-4000-8000-000000000001"
LIMA = "11a00000-0000-4000-8000-000000000002"


@pytest.fixture
def groups(teams: TeamsStandIn) -> EntraGroups:
    teams.groups = {LEADS: {ANA.user_id}, LIMA: set()}
    return EntraGroups(teams.config())


async def test_a_person_is_in_the_groups_that_graph_names(groups: EntraGroups) -> None:
    assert await groups.groups_of(ANA, [LEADS.upper(), LIMA]) == {LEADS.upper()}


async def test_somebody_whom_the_tenant_does_not_know_is_in_none(groups: EntraGroups) -> None:
    assert await groups.groups_of(EVE, [LEADS]) == frozenset()


async def test_a_person_is_asked_for_once_in_a_while_unless_it_has_to_be_fresh(
    groups: EntraGroups, teams: TeamsStandIn
) -> None:
    await groups.groups_of(ANA, [LEADS, LIMA])
    teams.groups = {LEADS: set(), LIMA: {ANA.user_id}}
    assert await groups.groups_of(ANA, [LIMA, LEADS]) == {LEADS}
    assert await groups.groups_of(ANA, [LEADS, LIMA], fresh=True) == {LIMA}
    assert teams.requests["groups"] == 2
    assert teams.requests["token"] == 1


async def test_many_groups_are_asked_for_in_parts(groups: EntraGroups, teams: TeamsStandIn) -> None:
    many = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(45)]
    assert await groups.groups_of(ANA, [*many, LEADS]) == {LEADS}
    assert teams.requests["groups"] == 3


@pytest.mark.parametrize("status", [401, 403, 429, 503])
async def test_a_graph_that_does_not_say_is_no_answer(groups: EntraGroups, teams: TeamsStandIn, status: int) -> None:
    teams.graph_status = status
    with pytest.raises(GroupsUnavailable, match=str(status)):
        await groups.groups_of(ANA, [LEADS])
    teams.graph_status = 200
    assert await groups.groups_of(ANA, [LEADS]) == {LEADS}


async def test_without_a_token_there_is_no_answer(groups: EntraGroups, teams: TeamsStandIn) -> None:
    teams.token_status = 503
    with pytest.raises(GroupsUnavailable, match="token: 503"):
        await groups.groups_of(ANA, [LEADS])
