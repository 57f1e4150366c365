from collections.abc import AsyncIterator

import pytest

from adapters.channels.slack.clients import slack_clients
from adapters.channels.slack.members import SlackMembers
from agent.values.identity import ThreadKey
from agent.values.turn import Place
from cards.errors import DeliveryRefused
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Trouble, Workspace

THREAD = Place(thread=ThreadKey("slack:T0HOME:C0SALES:1793545200.000001"), address="")
DIRECT = Place(thread=ThreadKey("slack:T0HOME:D0ANA:1793545200.000001"), address="")


@pytest.fixture
def workspace() -> Workspace:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", email="ana@home.example")
    workspace.add_user("U0BOB", name="Bob")
    workspace.add_user("U0HOOK", name="Hook", is_bot=True)
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB", "U0HOOK")
    return workspace


@pytest.fixture
async def members(workspace: Workspace) -> AsyncIterator[SlackMembers]:
    async with slack_server(workspace) as server, slack_clients(BOT_TOKEN, server.api) as clients:
        yield SlackMembers(clients.once)


async def test_a_channel_is_read_by_its_people_and_bots_do_not_count(members: SlackMembers) -> None:
    found = await members.readers(THREAD, 10)
    assert {user.user_id for user in found.people} == {"U0ANA", "U0BOB"}
    assert {user.email for user in found.people} == {"ana@home.example", None}
    assert (found.is_alone, found.is_whole, found.is_external) == (False, True, False)


async def test_a_direct_conversation_is_alone_and_nothing_is_asked(members: SlackMembers, workspace: Workspace) -> None:
    assert (await members.readers(DIRECT, 10)).is_alone
    assert workspace.calls == []


async def test_a_channel_is_asked_for_once_in_a_while(members: SlackMembers, workspace: Workspace) -> None:
    await members.readers(THREAD, 10)
    await members.readers(THREAD, 10)
    assert len(workspace.called("conversations.members")) == 1


async def test_more_people_than_are_looked_at_are_unknown_people(members: SlackMembers, workspace: Workspace) -> None:
    for number in range(4):
        workspace.conversations["C0SALES"].members.add(workspace.add_user(f"U{number}"))
    assert not (await members.readers(THREAD, 3)).is_whole
    assert len(workspace.called("users.info")) <= 4


async def test_a_shared_channel_a_guest_and_another_workspace_are_outside(
    members: SlackMembers, workspace: Workspace
) -> None:
    for channel in ("C0SHARED", "C0GUEST", "C0OTHER"):
        workspace.add_conversation(channel, "U0ANA")
    workspace.conversations["C0SHARED"].is_shared = True
    workspace.conversations["C0GUEST"].members.add(workspace.add_user("U0GUEST", is_restricted=True))
    workspace.conversations["C0OTHER"].members.add(workspace.add_user("U0OTHER", team_id="T0OTHER"))
    for channel in ("C0SHARED", "C0GUEST", "C0OTHER"):
        place = Place(thread=ThreadKey(f"slack:T0HOME:{channel}:1793545200.000001"), address="")
        assert (await members.readers(place, 10)).is_external


async def test_a_slack_that_does_not_say_raises(members: SlackMembers, workspace: Workspace) -> None:
    workspace.trouble("conversations.members", Trouble(error="missing_scope"))
    with pytest.raises(DeliveryRefused):
        await members.readers(THREAD, 10)
