from collections.abc import AsyncIterator

import pytest

from adapters.channels.slack.clients import slack_clients
from adapters.channels.slack.groups import SlackGroups
from agent.errors import GroupsUnavailable
from agent.values.identity import ExternalUser, TenantId, UserId
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Trouble, Workspace

ANA = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0ANA"))
BOB = ExternalUser(channel="slack", tenant=TenantId("T0HOME"), user_id=UserId("U0BOB"))
METHOD = "usergroups.users.list"


@pytest.fixture
def workspace() -> Workspace:
    return Workspace(user_groups={"S1LEADS": {"U0ANA", "U0BOB"}, "S2LIMA": {"U0ANA"}})


@pytest.fixture
async def groups(workspace: Workspace) -> AsyncIterator[SlackGroups]:
    async with slack_server(workspace) as server, slack_clients(BOT_TOKEN, server.api) as clients:
        yield SlackGroups(clients.once)


async def test_a_person_is_in_the_groups_that_list_them(groups: SlackGroups) -> None:
    assert await groups.groups_of(ANA, ["S1LEADS", "S2LIMA"]) == {"S1LEADS", "S2LIMA"}
    assert await groups.groups_of(BOB, ["S1LEADS", "S2LIMA"]) == {"S1LEADS"}


async def test_a_group_is_asked_for_once_for_everybody_unless_it_has_to_be_fresh(
    groups: SlackGroups, workspace: Workspace
) -> None:
    await groups.groups_of(ANA, ["S1LEADS"])
    workspace.user_groups["S1LEADS"] = {"U0ANA"}
    assert await groups.groups_of(BOB, ["S1LEADS"]) == {"S1LEADS"}
    assert len(workspace.called(METHOD)) == 1
    assert await groups.groups_of(BOB, ["S1LEADS"], fresh=True) == frozenset()
    assert await groups.groups_of(BOB, ["S1LEADS"]) == frozenset()


async def test_a_group_that_is_gone_holds_nobody(groups: SlackGroups) -> None:
    assert await groups.groups_of(ANA, ["S0GONE", "S2LIMA"]) == {"S2LIMA"}


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(error="missing_scope"),
        Trouble(status=503),
        Trouble(retry_after=30),
        Trouble(error="plan_upgrade_required"),
    ],
)
async def test_a_slack_that_does_not_say_is_no_answer(
    groups: SlackGroups, workspace: Workspace, trouble: Trouble
) -> None:
    workspace.trouble(METHOD, trouble)
    with pytest.raises(GroupsUnavailable, match=METHOD):
        await groups.groups_of(ANA, ["S1LEADS"])
    assert await groups.groups_of(ANA, ["S1LEADS"]) == {"S1LEADS"}
