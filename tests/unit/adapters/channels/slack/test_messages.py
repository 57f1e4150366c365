from datetime import UTC, datetime

import pytest

from agent.values.identity import ThreadKey
from agent.values.turn import Audience, InboundFile
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.workspace import Trouble, Workspace
from tests.unit.adapters.channels.slack.conftest import Inbox

THREAD = ThreadKey("slack:T0HOME:C0SALES:1793545100.000100")


async def test_a_mention_becomes_a_turn_with_its_author(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.event(sample("app_mention"))
    assert (answer.status, answer.body) == (200, "")
    [turn] = inbox.turns
    assert turn.event_id == "slack:T0HOME:C0SALES:1793545100.000100"
    assert turn.thread == THREAD
    assert (turn.channel, turn.tenant, turn.kind) == ("slack", "T0HOME", "message")
    assert turn.text == "approval rate by channel last month"
    assert (turn.author.tenant, turn.author.user_id) == ("T0HOME", "U0ANA")
    assert (turn.author.display_name, turn.author.email) == ("Ana", "ana@home.example")
    assert turn.locale == "es"
    assert turn.audience == Audience(kind="channel")
    assert turn.received_at == datetime(2026, 11, 1, 15, 0, tzinfo=UTC)


async def test_a_mention_that_arrives_twice_is_one_event(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention"))
    await slack.event(sample("message_channel"))
    assert len({turn.event_id for turn in inbox.turns}) == 1
    assert inbox.turns[0] == inbox.turns[1]


async def test_a_repeated_delivery_is_the_same_event(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention"))
    await slack.event(sample("app_mention"), retry=1)
    assert [turn.event_id for turn in inbox.turns] == ["slack:T0HOME:C0SALES:1793545100.000100"] * 2


async def test_a_direct_message_needs_no_mention(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("message_im"))
    [turn] = inbox.turns
    assert turn.audience == Audience(kind="dm")
    assert turn.thread == "slack:T0HOME:D0ANA:1793545110.000100"


@pytest.mark.parametrize(("name", "kind"), [("message_mpim", "group"), ("message_private", "channel")])
async def test_groups_and_private_channels_are_heard_when_named(
    slack: Deliveries, inbox: Inbox, name: str, kind: str
) -> None:
    await slack.event(sample(name))
    [turn] = inbox.turns
    assert turn.audience.kind == kind


async def test_an_unnamed_reply_counts_in_our_own_threads_only(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("message_thread"))
    assert inbox.turns == []
    inbox.followed.add(THREAD)
    await slack.event(sample("message_thread"), retry=1)
    [turn] = inbox.turns
    assert (turn.thread, turn.text) == (THREAD, "and by brand?")
    assert turn.event_id == "slack:T0HOME:C0SALES:1793545180.000300"


async def test_a_plain_message_in_a_group_is_not_for_us(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("message_mpim", event__text="lunch?"))
    assert inbox.turns == []


@pytest.mark.parametrize("name", ["message_changed", "bot_message", "own_message", "app_home_opened"])
async def test_what_no_person_said_is_answered_and_dropped(slack: Deliveries, inbox: Inbox, name: str) -> None:
    inbox.followed.add(THREAD)
    answer = await slack.event(sample(name))
    assert (answer.status, inbox.turns) == (200, [])


async def test_another_bot_that_names_us_is_dropped(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention", event__bot_id="B0OTHER"))
    assert inbox.turns == []


async def test_a_shared_file_comes_with_what_its_download_needs(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("file_share"))
    [turn] = inbox.turns
    assert (turn.kind, turn.text) == ("file", "what is in here?")
    url = "https://files.slack.com/files-pri/T0HOME-F0SALES/download/sales.csv"
    file = InboundFile(name="sales.csv", media_type="text/csv", size=2048, url=url, id="F0SALES", tenant="T0HOME")
    assert turn.files == (file,)


async def test_a_file_of_a_shared_channel_is_asked_for(slack: Deliveries, inbox: Inbox, workspace: Workspace) -> None:
    unknown = [{"id": "F0GONE", "file_access": "check_file_info"}]
    answer = await slack.event(sample("file_share", event__files=unknown))
    assert workspace.called("files.info") == [{"file": "F0GONE"}]
    assert (answer.status, inbox.turns[0].files[0].name) == (200, "F0GONE")


async def test_a_person_of_another_workspace_is_external_and_brings_no_e_mail(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("shared_channel"))
    [turn] = inbox.turns
    assert turn.tenant == "T0HOME"
    assert (turn.author.tenant, turn.author.user_id, turn.author.email) == ("T0OTHER", "U0EVE", None)
    assert turn.audience == Audience(kind="channel", external=True)


async def test_a_language_that_is_not_ours_is_left_open(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention", event__user="U0BOB"))
    assert inbox.turns[0].locale is None


async def test_a_person_slack_does_not_know_is_still_heard(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention", event__user="U0GHOST"))
    [turn] = inbox.turns
    assert (turn.author.tenant, turn.author.user_id, turn.author.email) == ("T0HOME", "U0GHOST", None)


async def test_people_are_asked_for_once(slack: Deliveries, workspace: Workspace) -> None:
    await slack.event(sample("app_mention"))
    await slack.event(sample("message_im"))
    assert len(workspace.called("users.info")) == 1
    assert len(workspace.called("auth.test")) == 1


@pytest.mark.parametrize("method", ["auth.test", "users.info"])
async def test_while_slack_is_out_events_are_left_for_redelivery(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, method: str
) -> None:
    workspace.trouble(method, Trouble(status=503))
    assert (await slack.event(sample("app_mention"))).status in (500, 503)
    assert inbox.turns == []
    assert (await slack.event(sample("app_mention"), retry=1)).status == 200
    assert len(inbox.turns) == 1


async def test_what_could_not_be_stored_is_left_for_redelivery(slack: Deliveries, inbox: Inbox) -> None:
    inbox.is_down = True
    assert (await slack.event(sample("app_mention"))).status == 503
    assert (await slack.event(sample("message_thread"))).status == 503
    inbox.is_down = False
    assert (await slack.event(sample("app_mention"))).status == 200
    assert len(inbox.turns) == 1


async def test_an_event_without_its_place_is_answered_and_dropped(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.event(sample("app_mention", event__channel=None))
    assert (answer.status, inbox.turns) == (200, [])


async def test_a_bare_mention_is_a_turn(slack: Deliveries, inbox: Inbox) -> None:
    await slack.event(sample("app_mention", event__text="<@U0BOT>"))
    assert [turn.text for turn in inbox.turns] == [""]
