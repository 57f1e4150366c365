"""Where Slack shows more than messages: direct conversations, the Home tab, the agent surface, streams."""

from collections.abc import Callable
from typing import Any

from tests.fakes.slack.workspace import BOT_ID, BOT_USER, Json, SlackSays, Workspace
from tests.validators.slack_blocks import message_faults, prompts_faults, view_faults

MOST_STREAMED = 12_000


def conversations_open(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """The direct conversation with one person."""
    return {"channel": {"id": workspace.direct(_needed(arguments, "users")).id}}


def views_publish(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Show a person their Home tab."""
    view, user = _needed(arguments, "view"), _needed(arguments, "user_id")
    if view.get("type") != "home":
        raise SlackSays("invalid_arguments")
    workspace.fault("views.publish", view_faults(view), "invalid_arguments")
    workspace.homes[user] = {**view, "id": f"VHOME{user}"}
    return {"view": workspace.homes[user]}


def set_status(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Say under a thread what the bot does."""
    conversation = workspace.conversation(_needed(arguments, "channel_id"))
    workspace.message(conversation.id, _needed(arguments, "thread_ts"))
    if "status" not in arguments or len(arguments.get("loading_messages", [])) > 10:
        raise SlackSays("invalid_arguments")
    workspace.statuses.append(arguments)
    return {}


def set_prompts(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Offer prompts in a direct conversation; with a `thread_ts` nothing happens, as in Slack."""
    channel = workspace.conversation(_needed(arguments, "channel_id")).id
    workspace.fault(
        "assistant.threads.setSuggestedPrompts", prompts_faults(arguments.get("prompts")), "invalid_prompts"
    )
    if "thread_ts" not in arguments:
        workspace.prompts[channel] = arguments["prompts"]
    return {}


def start_stream(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Open a message that grows."""
    conversation = workspace.writable(_needed(arguments, "channel"))
    root = workspace.message(conversation.id, _needed(arguments, "thread_ts"))
    if not conversation.id.startswith("D") and not arguments.get("recipient_user_id"):
        raise SlackSays("missing_recipient_user_id")
    if not conversation.id.startswith("D") and not arguments.get("recipient_team_id"):
        raise SlackSays("missing_recipient_team_id")
    posted = workspace.say(
        conversation.id, {"user": BOT_USER, "bot_id": BOT_ID, "thread_ts": root["ts"], "text": "", "blocks": []}
    )
    workspace.streams[posted["ts"]] = ""
    return {"channel": conversation.id, "ts": _grown(workspace, posted, arguments)}


def append_stream(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Let the message grow."""
    posted = _streaming(workspace, arguments)
    _needed(arguments, "markdown_text")
    return {"channel": arguments["channel"], "ts": _grown(workspace, posted, arguments)}


def stop_stream(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """End the message, with blocks beneath its words."""
    posted = _streaming(workspace, arguments)
    _grown(workspace, posted, arguments)
    if arguments.get("blocks"):
        workspace.fault("chat.stopStream", message_faults(arguments["blocks"], posted["text"]), "invalid_blocks")
        posted["blocks"] = arguments["blocks"]
    if "metadata" in arguments:
        posted["metadata"] = arguments["metadata"]
    del workspace.streams[posted["ts"]]
    return {"channel": arguments["channel"], "ts": posted["ts"], "message": posted}


SURFACES: dict[str, Callable[[Workspace, Json, str], Json]] = {
    "conversations.open": conversations_open,
    "views.publish": views_publish,
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setSuggestedPrompts": set_prompts,
    "chat.startStream": start_stream,
    "chat.appendStream": append_stream,
    "chat.stopStream": stop_stream,
}


def _streaming(workspace: Workspace, arguments: Json) -> Json:
    posted = workspace.message(_needed(arguments, "channel"), _needed(arguments, "ts"))
    if posted["ts"] not in workspace.streams:
        raise SlackSays("message_not_in_streaming_state")
    return posted


def _grown(workspace: Workspace, posted: Json, arguments: Json) -> str:
    said = workspace.streams[posted["ts"]] + str(arguments.get("markdown_text") or "")
    if len(said) > MOST_STREAMED:
        raise SlackSays("msg_too_long")
    if "<!" in said or "<@" in said:
        workspace.faults.append("stream: unescaped control sequence")
    workspace.streams[posted["ts"]] = posted["text"] = said
    return str(posted["ts"])


def _needed(arguments: Json, name: str) -> Any:
    if not arguments.get(name):
        raise SlackSays("invalid_arguments")
    return arguments[name]
