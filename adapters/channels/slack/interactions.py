"""Pressed buttons and sent dialogs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.channels.slack.fields import Record, flag, record, records, text
from adapters.channels.slack.inbound import Origin, audience_of_channel
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.modal import PRESSED, entered, offered
from adapters.channels.slack.thread_ids import SlackThread
from agent.values.turn import Audience
from cards.actions import MalformedAction
from cards.render.block_kit_buttons import chosen_action


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """A pressed button of ours: `encoded` is what it carries, `message` the `ts` of its card."""

    origin: Origin
    encoded: str
    action_id: str
    message: str
    trigger: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A sent dialog: what the button that opened it carried, what was filled in, and what stood there before."""

    origin: Origin
    encoded: str
    action_id: str
    message: str
    values: Mapping[str, str]
    offered: Mapping[str, str]

    @property
    def first_field(self) -> str:
        """Where to say what concerns the whole dialog; empty for a dialog without fields."""
        return next(iter(self.values), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeClick:
    """A pressed button of the Home tab, which stands in no conversation. `moment` tells presses apart."""

    user: str
    encoded: str
    action_id: str
    label: str
    moment: str
    trigger: str


def read_click(body: Record, home: Installation) -> Click | None:
    """The pressed button in a `block_actions` body; None for a button that carries nothing, or that nobody pressed.

    Slack gives interactions no id: one is made of the card, the button, the moment and the person.
    """
    action = next(records(body, "actions"), {})
    channel = text(body, "container", "channel_id") or text(body, "channel", "id")
    message = text(body, "container", "message_ts") or text(body, "message", "ts")
    user, encoded = text(body, "user", "id"), _carried_by(action)
    if not all((encoded, channel, message, user)):
        return None
    pressed = (home.team, channel, message, text(action, "action_id"), text(action, "action_ts"), user)
    return Click(
        origin=Origin(
            event_id=":".join(("slack", *pressed)),
            thread=SlackThread(team=home.team, channel=channel, root=_root(body) or message),
            user=user,
            user_team=text(body, "user", "team_id"),
            audience=Audience(
                kind=audience_of_channel(channel, text(body, "channel", "name")),
                external=flag(body, "is_ext_shared_channel"),
            ),
        ),
        encoded=encoded,
        action_id=text(action, "action_id"),
        message=message,
        trigger=text(body, "trigger_id"),
    )


def read_home_click(body: Record) -> HomeClick | None:
    """The pressed button of a Home tab; None for everything else."""
    action = next(records(body, "actions"), {})
    user, encoded = text(body, "user", "id"), _carried_by(action)
    if text(body, "view", "type") != "home" or not user or not encoded:
        return None
    return HomeClick(
        user=user,
        encoded=encoded,
        action_id=text(action, "action_id"),
        label=text(action, "text", "text") or text(action, "selected_option", "text", "text"),
        moment=text(action, "action_ts"),
        trigger=text(body, "trigger_id"),
    )


def _carried_by(action: Record) -> str:
    """What a button carries, or what the chosen option of a select stands for; empty for neither."""
    option = text(action, "selected_option", "value")
    if not option:
        return text(action, "value")
    try:
        return chosen_action(text(action, "action_id"), option)
    except MalformedAction:
        return option


def dialog_metadata(click: Click) -> str:
    """What a dialog carries back: Slack does not tell where the button was that opened it."""
    return json.dumps(
        {
            "action": click.encoded,
            "button": click.action_id,
            "channel": click.origin.thread.channel,
            "root": click.origin.thread.root,
            "message": click.message,
            "audience": click.origin.audience.kind,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def read_submission(body: Record, home: Installation) -> Submission | None:
    """The dialog in a `view_submission` body; None for a dialog that is not ours."""
    view = record(body, "view")
    carried = _carried(text(view, "private_metadata"))
    user = text(body, "user", "id")
    if text(view, "callback_id") != PRESSED or not carried or not user:
        return None
    channel = text(carried, "channel")
    kind = text(carried, "audience")
    return Submission(
        origin=Origin(
            event_id=f"slack:{home.team}:view:{text(view, 'id')}",
            thread=SlackThread(team=home.team, channel=channel, root=text(carried, "root")),
            user=user,
            user_team=text(body, "user", "team_id"),
            audience=Audience(kind="group" if kind == "group" else audience_of_channel(channel)),
        ),
        encoded=text(carried, "action"),
        action_id=text(carried, "button"),
        message=text(carried, "message"),
        values=entered(view),
        offered={field: offered(view, field) for field in entered(view)},
    )


def _root(body: Record) -> str:
    return text(body, "message", "thread_ts") or text(body, "container", "thread_ts")


def _carried(metadata: str) -> Record:
    try:
        return record(json.loads(metadata))
    except ValueError:
        return {}
