import pytest

from adapters.channels.slack import intake
from adapters.channels.slack.app import SlackApp
from agent.wording.texts import say
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import Trouble, Workspace
from tests.unit.adapters.channels.slack.conftest import Inbox


async def test_a_command_opens_a_thread_with_its_question(
    slack: Deliveries, inbox: Inbox, workspace: Workspace
) -> None:
    answer = await slack.command(sample("slash_command"))
    assert (answer.status, answer.body) == (200, "")
    root = workspace.conversations["C0SALES"].messages[-1]
    assert root["text"] == "<@U0ANA> pregunta: approval rate by channel last month"
    [turn] = inbox.turns
    assert (turn.kind, turn.text) == ("command", "approval rate by channel last month")
    assert turn.thread == f"slack:T0HOME:C0SALES:{root['ts']}"
    assert turn.author.user_id == "U0ANA"


async def test_a_hostile_question_pings_nobody(slack: Deliveries, inbox: Inbox, workspace: Workspace) -> None:
    hostile = "&lt;!channel&gt; and <@U0BOB|bob> see <https://evil.example|your payslip>"
    await slack.command(sample("slash_command", text=hostile))
    posted = workspace.conversations["C0SALES"].messages[-1]["text"]
    assert posted == "<@U0ANA> pregunta: &lt;!channel&gt; and @bob see your payslip"
    assert inbox.turns[0].text == "<!channel> and @bob see your payslip"


async def test_an_endless_question_is_cut_in_the_thread_only(
    slack: Deliveries, inbox: Inbox, workspace: Workspace
) -> None:
    await slack.command(sample("slash_command", text="<" * 5000))
    assert len(workspace.conversations["C0SALES"].messages[-1]["text"]) <= 4000
    assert inbox.turns[0].text == "<" * 5000


async def test_an_empty_command_explains_itself(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.command(sample("slash_command", text="  "))
    told = say("es", "slack.command_empty", command="/ask")
    assert (answer.payload, inbox.turns) == ({"response_type": "ephemeral", "text": told}, [])


@pytest.mark.parametrize("channel", ["C0ALONE", "D0OTHERS"])
async def test_where_we_may_not_write_the_person_is_told(slack: Deliveries, inbox: Inbox, channel: str) -> None:
    answer = await slack.command(sample("slash_command", channel_id=channel))
    assert (answer.payload["text"], inbox.turns) == (say("es", "slack.command_refused"), [])


async def test_a_command_that_could_not_be_stored_says_so(slack: Deliveries, inbox: Inbox) -> None:
    inbox.is_down = True
    answer = await slack.command(sample("slash_command"))
    assert answer.payload == {"response_type": "ephemeral", "text": say("es", "slack.not_kept")}


async def test_a_command_slack_itself_is_out_for_says_so(slack: Deliveries, inbox: Inbox, workspace: Workspace) -> None:
    workspace.trouble("users.info", Trouble(status=503))
    answer = await slack.command(sample("slash_command"))
    assert (answer.payload["text"], inbox.turns) == (say("en", "slack.not_kept"), [])


async def test_a_slow_command_is_acknowledged_and_told_later(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, server: SlackServer, app: SlackApp
) -> None:
    inbox.delay, inbox.is_down = intake.COMMAND_SECONDS + 0.1, True
    answer = await slack.command(sample("slash_command", response_url=f"{server.url}/reply/1"))
    assert (answer.status, answer.body) == (200, "")
    await app.close()
    assert workspace.command_replies == [{"response_type": "ephemeral", "text": say("es", "slack.not_kept")}]


async def test_a_slow_command_that_succeeds_says_nothing(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, server: SlackServer, app: SlackApp
) -> None:
    inbox.delay = intake.COMMAND_SECONDS + 0.1
    await slack.command(sample("slash_command", response_url=f"{server.url}/reply/1"))
    await app.close()
    assert (len(inbox.turns), workspace.command_replies) == (1, [])
