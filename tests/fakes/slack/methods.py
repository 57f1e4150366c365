"""The Web API's methods, with the limits and the error names of their reference pages."""

import json
from collections.abc import Callable
from typing import Any

from tests.fakes.slack.surfaces import SURFACES
from tests.fakes.slack.workspace import APP_TOKEN, BOT_ID, BOT_USER, Json, SlackSays, StoredFile, Workspace
from tests.validators.slack_blocks import message_faults, view_faults

Method = Callable[[Workspace, Json, str], Json]

_DRAWN = [{"type": "divider"}]
_METADATA_FIELDS = {"event_type", "event_payload"}


def auth_test(workspace: Workspace, _arguments: Json, _url: str) -> Json:
    """Who the token is."""
    names = {"team": "Home", "user": "countersign", "url": "https://home.example/"}
    return {"team_id": workspace.team, "user_id": BOT_USER, "bot_id": BOT_ID, **names}


def bots_info(_workspace: Workspace, arguments: Json, _url: str) -> Json:
    """The app behind a bot."""
    if _needed(arguments, "bot") != BOT_ID:
        raise SlackSays("bot_not_found")
    return {"bot": {"id": BOT_ID, "app_id": "A0APP", "user_id": BOT_USER, "name": "countersign", "deleted": False}}


def users_info(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """A person, with their language only when asked for it."""
    user = workspace.users.get(arguments["user"])
    if arguments["user"] == BOT_USER:
        return {"user": {"id": BOT_USER, "team_id": workspace.team, "is_bot": True, "profile": {}}}
    if user is None:
        raise SlackSays("user_not_found")
    hidden = set() if arguments.get("include_locale") else {"locale"}
    return {"user": {name: held for name, held in user.items() if name not in hidden}}


def conversations_info(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """A conversation the bot is in, and whether another organisation shares it."""
    held = workspace.conversation(_needed(arguments, "channel"))
    return {"channel": {"id": held.id, "is_ext_shared": held.is_shared, "is_archived": held.is_archived}}


def conversations_members(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """The members of a conversation, bots too, in pages."""
    members = sorted(workspace.conversation(_needed(arguments, "channel")).members)
    start, size = int(arguments.get("cursor") or 0), int(arguments.get("limit") or 100)
    more = start + size < len(members)
    return {
        "members": members[start : start + size],
        "response_metadata": {"next_cursor": str(start + size) if more else ""},
    }


def usergroup_users(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """The people of a user group."""
    members = workspace.user_groups.get(_needed(arguments, "usergroup"))
    if members is None:
        raise SlackSays("no_such_subteam")
    return {"users": sorted(members)}


def post_message(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Post into a conversation or a thread."""
    conversation = workspace.writable(_needed(arguments, "channel"))
    _check_message(workspace, "chat.postMessage", arguments)
    if arguments.get("unfurl_links") is not False or arguments.get("unfurl_media") is not False:
        workspace.faults.append("chat.postMessage: links inside data would be fetched")
    if "thread_ts" in arguments:
        workspace.message(conversation.id, arguments["thread_ts"])
    kept: Json = {name: arguments[name] for name in ("text", "blocks", "thread_ts", "metadata") if name in arguments}
    posted = workspace.say(conversation.id, {"user": BOT_USER, "bot_id": BOT_ID, **kept})
    return {"channel": conversation.id, "ts": posted["ts"], "message": posted}


def update(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Edit a message of ours; text without blocks removes the blocks."""
    workspace.writable(_needed(arguments, "channel"))
    message = workspace.message(_needed(arguments, "channel"), _needed(arguments, "ts"))
    if message.get("user") != BOT_USER:
        raise SlackSays("cant_update_message")
    _check_message(workspace, "chat.update", arguments)
    message["text"] = arguments["text"]
    message["blocks"] = arguments.get("blocks", [])
    message["edited"] = {"user": BOT_USER}
    return {"channel": arguments["channel"], "ts": message["ts"], "text": message["text"]}


def post_ephemeral(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Show something to one member of the conversation."""
    conversation = workspace.conversation(_needed(arguments, "channel"))
    if _needed(arguments, "user") not in conversation.members:
        raise SlackSays("user_not_in_channel")
    _check_message(workspace, "chat.postEphemeral", arguments)
    workspace.ephemerals.append(arguments)
    return {"message_ts": workspace.next_ts()}


def replies(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """A thread in pages, its root first; metadata only when asked for."""
    conversation = workspace.conversation(_needed(arguments, "channel"))
    root = workspace.message(conversation.id, _needed(arguments, "ts"))
    said = workspace.thread(conversation.id, root["ts"])
    writers = list(dict.fromkeys(held["user"] for held in said if "user" in held))
    messages = [{**root, "reply_users": writers}, *said]
    start, size = int(arguments.get("cursor") or 0), int(arguments.get("limit") or 1000)
    page = [_without_metadata(held, arguments) for held in messages[start : start + size]]
    more = start + size < len(messages)
    return {
        "messages": page,
        "has_more": more,
        "response_metadata": {"next_cursor": str(start + size) if more else ""},
    }


def history(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """The newest messages of a conversation, newest first, without the replies in its threads."""
    said = workspace.conversation(_needed(arguments, "channel")).messages
    roots = [held for held in reversed(said) if held.get("thread_ts", held["ts"]) == held["ts"]]
    page = [_without_metadata(held, arguments) for held in roots[: int(arguments.get("limit") or 100)]]
    return {"messages": page, "has_more": len(roots) > len(page)}


def upload_url(workspace: Workspace, arguments: Json, url: str) -> Json:
    """Where to send the bytes of a file."""
    if "alt_txt" in arguments:
        workspace.faults.append("files.getUploadURLExternal: alt_txt is not taken")
    name = f"F{len(workspace.files) + 1:04d}"
    length = int(_needed(arguments, "length"))
    workspace.files[name] = StoredFile(id=name, name=_needed(arguments, "filename"), length=length)
    return {"file_id": name, "upload_url": f"{url}/upload/{name}"}


def complete_upload(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Share uploaded files into a thread; they show up there later."""
    conversation = workspace.writable(_needed(arguments, "channel_id"))
    completed = []
    for told in json.loads(_needed(arguments, "files")):
        file = workspace.files[told["id"]]
        if len(file.content) != file.length:
            raise SlackSays("file_not_found")
        file.title, file.channel = told.get("title", ""), conversation.id
        file.thread_ts = arguments.get("thread_ts", "")
        file.calls_until_shared = workspace.shared_after_calls
        completed.append({"id": file.id, "title": file.title})
    return {"files": completed}


def files_info(workspace: Workspace, arguments: Json, url: str) -> Json:
    """A file, with its mimetype and its shares once Slack has finished with it; a given one with its address."""
    given = workspace.given.get(_needed(arguments, "file"))
    if given is not None:
        facts = {"id": given.id, "name": given.name, "mimetype": given.mimetype, "size": len(given.content)}
        return {"file": facts | {"url_private_download": f"{url}/files-pri/{given.id}/download/{given.name}"}}
    file = workspace.files.get(_needed(arguments, "file"))
    if file is None:
        raise SlackSays("file_not_found")
    if file.calls_until_shared > 0:
        file.calls_until_shared -= 1
        return {"file": {"id": file.id, "name": file.name}}
    if not file.message_ts:
        shared = {
            "user": BOT_USER,
            "bot_id": BOT_ID,
            "thread_ts": file.thread_ts,
            "files": [{"id": file.id, "name": file.name}],
        }
        file.message_ts = workspace.say(file.channel, shared)["ts"]
    kind = "public" if file.channel.startswith("C") else "private"
    shares = {kind: {file.channel: [{"ts": file.message_ts, "thread_ts": file.thread_ts}]}}
    return {"file": {"id": file.id, "name": file.name, "mimetype": "application/octet-stream", "shares": shares}}


def views_open(workspace: Workspace, arguments: Json, _url: str) -> Json:
    """Open a dialog while the trigger lives."""
    until = workspace.triggers.pop(_needed(arguments, "trigger_id"), None)
    if until is None:
        raise SlackSays("invalid_trigger")
    if workspace.clock > until:
        raise SlackSays("expired_trigger_id")
    view = arguments["view"]
    workspace.fault("views.open", view_faults(view), "invalid_arguments")
    opened = {**view, "id": f"V{len(workspace.views) + 1:04d}"}
    workspace.views.append(opened)
    return {"view": opened}


def connections_open(workspace: Workspace, arguments: Json, url: str) -> Json:
    """Where to open a WebSocket."""
    ticket = len(workspace.called("apps.connections.open"))
    return {"url": f"{url.replace('http', 'ws', 1)}/socket?ticket={ticket}"}


METHODS: dict[str, Method] = {
    "auth.test": auth_test,
    "bots.info": bots_info,
    "users.info": users_info,
    "conversations.info": conversations_info,
    "conversations.members": conversations_members,
    "usergroups.users.list": usergroup_users,
    "chat.postMessage": post_message,
    "chat.update": update,
    "chat.postEphemeral": post_ephemeral,
    "conversations.replies": replies,
    "conversations.history": history,
    "files.getUploadURLExternal": upload_url,
    "files.completeUploadExternal": complete_upload,
    "files.info": files_info,
    "views.open": views_open,
    "apps.connections.open": connections_open,
    **SURFACES,
}
TOKENS = {"apps.connections.open": APP_TOKEN}


def _needed(arguments: Json, name: str) -> Any:
    if not arguments.get(name):
        raise SlackSays("invalid_arguments")
    return arguments[name]


def _check_message(workspace: Workspace, method: str, arguments: Json) -> None:
    faults = message_faults(arguments.get("blocks", _DRAWN), arguments.get("text"))
    if not workspace.takes_plans and any(block.get("type") == "plan" for block in arguments.get("blocks", [])):
        raise SlackSays("invalid_blocks")
    if set(arguments.get("metadata", {})) not in (set(), _METADATA_FIELDS):
        faults.append("metadata: needs event_type and event_payload")
    too_long = any("msg_blocks_too_long" in fault for fault in faults)
    workspace.fault(method, faults, "msg_blocks_too_long" if too_long else "invalid_blocks")


def _without_metadata(message: Json, arguments: Json) -> Json:
    if arguments.get("include_all_metadata"):
        return message
    return {name: held for name, held in message.items() if name != "metadata"}
