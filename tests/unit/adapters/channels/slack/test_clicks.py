import json

import pytest

from adapters.channels.slack.app import SlackApp
from agent.values.identity import RunId, ThreadKey
from agent.values.turn import CardAction, CardRef
from agent.wording.texts import say
from cards.actions import encode_action
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.workspace import Json, Trouble, Workspace
from tests.unit.adapters.channels.slack.conftest import Inbox

THREAD = ThreadKey("slack:T0HOME:C0SALES:1793545100.000100")
APPROVE = CardAction(verb="approve", run=RunId("7F3K"), fingerprint="f00d")
REJECT = CardAction(verb="reject", run=RunId("7F3K"), fingerprint="f00d")


def _click(action: CardAction, **changes: object) -> Json:
    value = encode_action(action)
    named = {"actions__0__action_id": f"{action.verb}:0:en"}
    return sample("block_actions", **{"actions__0__value": value, **named, **changes})


async def test_a_pressed_button_becomes_a_decision_on_its_card(slack: Deliveries, inbox: Inbox) -> None:
    answer = await slack.interaction(_click(APPROVE))
    assert (answer.status, answer.body) == (200, "")
    [turn] = inbox.turns
    assert (turn.kind, turn.action) == ("decision", APPROVE)
    assert turn.thread == THREAD
    assert turn.card_ref == CardRef(thread=THREAD, message_id="1793545101.000200")
    assert (turn.author.user_id, turn.author.display_name) == ("U0ANA", "Ana")
    assert turn.event_id == "slack:T0HOME:C0SALES:1793545101.000200:approve:0:en:1793545105.123456:U0ANA"


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (CardAction(verb="choose", run=RunId("7F3K"), value="gross"), "choice"),
        (CardAction(verb="cancel", run=RunId("7F3K")), "cancel"),
        (CardAction(verb="ask", value="top 10 merchants"), "feedback"),
        (CardAction(verb="thumbs_up", run=RunId("7F3K")), "feedback"),
    ],
)
async def test_every_button_becomes_its_kind_of_turn(
    slack: Deliveries, inbox: Inbox, action: CardAction, kind: str
) -> None:
    await slack.interaction(_click(action))
    assert [(turn.kind, turn.action) for turn in inbox.turns] == [(kind, action)]


async def test_two_people_pressing_at_once_are_two_events(slack: Deliveries, inbox: Inbox) -> None:
    await slack.interaction(_click(APPROVE))
    await slack.interaction(_click(APPROVE, user__id="U0BOB"))
    assert len({turn.event_id for turn in inbox.turns}) == 2


async def test_a_notice_is_shown_to_the_one_who_pressed(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    inbox.notice = "Only <!channel> & Bob may approve this."
    await slack.interaction(_click(APPROVE))
    await app.close()
    [shown] = workspace.ephemerals
    assert (shown["channel"], shown["user"], shown["thread_ts"]) == ("C0SALES", "U0ANA", "1793545100.000100")
    assert shown["text"] == "Only &lt;!channel&gt; &amp; Bob may approve this."


async def test_a_button_of_another_version_says_so(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    old = sample("block_actions", actions__0__value='{"v":0,"a":"approve"}', actions__0__action_id="approve:0:es")
    assert (await slack.interaction(old)).status == 200
    await app.close()
    assert inbox.turns == []
    assert [shown["text"] for shown in workspace.ephemerals] == [say("es", "card.malformed")]


async def test_a_button_that_carries_nothing_is_dropped(slack: Deliveries, inbox: Inbox) -> None:
    assert (await slack.interaction(sample("block_actions"))).status == 200
    assert inbox.turns == []


async def test_a_click_that_could_not_be_stored_is_not_acknowledged(slack: Deliveries, inbox: Inbox) -> None:
    inbox.is_down = True
    assert (await slack.interaction(_click(APPROVE))).status == 503


async def test_rejecting_asks_for_the_reason_first(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    click = _click(REJECT, trigger_id=workspace.trigger(), actions__0__action_id="reject:1:es")
    assert (await slack.interaction(click)).status == 200
    await app.close()
    assert inbox.turns == []
    [view] = workspace.views
    assert view["title"]["text"] == say("es", "button.reject_title")
    assert view["blocks"][0]["element"]["type"] == "plain_text_input"


async def test_the_typed_reason_comes_with_the_decision(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    await slack.interaction(_click(REJECT, trigger_id=workspace.trigger()))
    await app.close()
    view = workspace.views[0]
    sent = sample("view_submission", view__id=view["id"], view__private_metadata=view["private_metadata"])
    answer = await slack.interaction(sent)
    assert (answer.status, answer.body) == (200, "")
    [turn] = inbox.turns
    assert turn.action == CardAction(verb="reject", run=RunId("7F3K"), fingerprint="f00d", text="wrong period")
    assert turn.thread == THREAD
    assert turn.card_ref == CardRef(thread=THREAD, message_id="1793545101.000200")
    assert turn.event_id == f"slack:T0HOME:view:{view['id']}"


async def test_the_reason_may_be_left_empty(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    await slack.interaction(_click(REJECT, trigger_id=workspace.trigger()))
    await app.close()
    metadata = workspace.views[0]["private_metadata"]
    sent = sample("view_submission", view__private_metadata=metadata, view__state__values__text__value__value=None)
    await slack.interaction(sent)
    assert [turn.action for turn in inbox.turns] == [REJECT]


async def test_a_dialog_that_could_not_be_stored_stays_open_and_says_so(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    await slack.interaction(_click(REJECT, trigger_id=workspace.trigger(), actions__0__action_id="reject:1:ru"))
    await app.close()
    inbox.is_down = True
    metadata = workspace.views[0]["private_metadata"]
    answer = await slack.interaction(sample("view_submission", view__private_metadata=metadata))
    assert answer.payload == {"response_action": "errors", "errors": {"text": say("ru", "slack.not_kept")}}


async def test_a_trigger_that_is_too_old_opens_nothing(slack: Deliveries, workspace: Workspace, app: SlackApp) -> None:
    trigger = workspace.trigger()
    workspace.clock += 3.1
    assert (await slack.interaction(_click(REJECT, trigger_id=trigger))).status == 200
    await app.close()
    assert workspace.views == []


async def test_a_dialog_of_somebody_else_is_dropped(slack: Deliveries, inbox: Inbox) -> None:
    forged = json.dumps({"action": encode_action(REJECT), "channel": "C0SALES", "root": "1.1", "message": "1.1"})
    sent = sample("view_submission", view__callback_id="other", view__private_metadata=forged)
    assert ((await slack.interaction(sent)).status, inbox.turns) == (200, [])


@pytest.mark.parametrize("metadata", ["", "no json", "[]", '{"action":"?"}'])
async def test_a_dialog_that_carries_nothing_useful_is_dropped(slack: Deliveries, inbox: Inbox, metadata: str) -> None:
    answer = await slack.interaction(sample("view_submission", view__private_metadata=metadata))
    assert (answer.status, inbox.turns) == (200, [])


async def test_a_notice_slack_does_not_take_fails_nothing(
    slack: Deliveries, inbox: Inbox, workspace: Workspace, app: SlackApp
) -> None:
    inbox.notice = "Not yours."
    workspace.trouble("chat.postEphemeral", Trouble(error="user_not_in_channel"))
    assert (await slack.interaction(_click(APPROVE))).status == 200
    await app.close()
    assert workspace.ephemerals == []
