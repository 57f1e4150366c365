"""What a workspace holds: people, conversations, messages, files, dialogs. Everything that happened can be read."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from adapters.channels.slack.scopes import BOT_SCOPES

Json = dict[str, Any]

TEAM = "T0HOME"
BOT_USER = "U0BOT"
BOT_ID = "B0BOT"
BOT_TOKEN = "xoxb-test"
APP_TOKEN = "xapp-test"
TRIGGER_SECONDS = 3.0


class SlackSays(Exception):
    """An error that Slack answers by name."""

    def __init__(self, error: str) -> None:
        self.error = error
        super().__init__(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """How the next call of a method goes wrong.

    `done` tells whether Slack did what was asked all the same; `silent` that it never answers.
    """

    status: int = 200
    error: str = ""
    retry_after: int | None = None
    done: bool = False
    silent: bool = False


@dataclass(slots=True, kw_only=True)
class Conversation:
    """A channel (`C…`), a private one or a group (`G…`), or a direct one (`D…`) with its members."""

    id: str
    members: set[str]
    is_archived: bool = False
    is_shared: bool = False
    messages: list[Json] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class StoredFile:
    """An uploaded file. It shows in its thread after `calls_until_shared` calls of `files.info`."""

    id: str
    name: str
    length: int
    content: bytes = b""
    title: str = ""
    channel: str = ""
    thread_ts: str = ""
    calls_until_shared: int = 0
    message_ts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFile:
    """A file that a person put into a conversation; `leads_to` is another address that it is found at."""

    id: str
    name: str
    mimetype: str
    content: bytes
    leads_to: str = ""


@dataclass(slots=True, kw_only=True)
class Workspace:
    """The state. `faults` lists everything illegal that the bot sent; `clock` is the workspace's own, in seconds.

    `scopes` are what its `token` may do; `troubled` are the troubles that there were.
    """

    team: str = TEAM
    enterprise: str = ""
    token: str = BOT_TOKEN
    bot_user: str = BOT_USER
    scopes: tuple[str, ...] = BOT_SCOPES
    users: dict[str, Json] = field(default_factory=dict)
    user_groups: dict[str, set[str]] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    ephemerals: list[Json] = field(default_factory=list)
    files: dict[str, StoredFile] = field(default_factory=dict)
    given: dict[str, GivenFile] = field(default_factory=dict)
    views: list[Json] = field(default_factory=list)
    command_replies: list[Json] = field(default_factory=list)
    calls: list[tuple[str, Json]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    troubles: dict[str, deque[Trouble]] = field(default_factory=dict)
    troubled: list[Trouble] = field(default_factory=list)
    triggers: dict[str, float] = field(default_factory=dict)
    clock: float = 0.0
    homes: dict[str, Json] = field(default_factory=dict)
    prompts: dict[str, list[Json]] = field(default_factory=dict)
    statuses: list[Json] = field(default_factory=list)
    streams: dict[str, str] = field(default_factory=dict)
    takes_plans: bool = True
    posts_a_second: int | None = None
    shared_after_calls: int = 2
    _sequence: int = 0
    _posted: dict[str, deque[float]] = field(default_factory=dict)

    def add_user(self, user: str, **facts: Any) -> str:
        """A person of the workspace, unless `team_id` says otherwise."""
        profile = {"display_name": facts.pop("name", ""), "email": facts.pop("email", None)}
        self.users[user] = {"id": user, "team_id": self.team, "profile": profile, **facts}
        return user

    def add_conversation(self, channel: str, *members: str, with_bot: bool = True) -> str:
        """A conversation of these people, with the bot in it."""
        self.conversations[channel] = Conversation(id=channel, members={*members, *([BOT_USER] if with_bot else [])})
        return channel

    def give(self, name: str, content: bytes, mimetype: str = "text/csv", leads_to: str = "") -> GivenFile:
        """A file that a person uploads; it goes along with a message."""
        self._sequence += 1
        file = GivenFile(
            id=f"F0GIVEN{self._sequence}", name=name, mimetype=mimetype, content=content, leads_to=leads_to
        )
        self.given[file.id] = file
        return file

    def trouble(self, method: str, *troubles: Trouble) -> None:
        """Let the next calls of the method go wrong, one after the other."""
        self.troubles.setdefault(method, deque()).extend(troubles)

    def say(self, channel: str, message: Mapping[str, Any]) -> Json:
        """Put a message into the conversation."""
        posted = {"type": "message", "ts": self.next_ts(), **message}
        self.conversations[channel].messages.append(posted)
        return posted

    def next_ts(self) -> str:
        """A new message's `ts`."""
        self._sequence += 1
        return f"1793545200.{self._sequence:06d}"

    def trigger(self) -> str:
        """A trigger, as clicks and commands carry one; it lives for 3 seconds of the workspace's clock."""
        self._sequence += 1
        name = f"trigger.{self._sequence}"
        self.triggers[name] = self.clock + TRIGGER_SECONDS
        return name

    def conversation(self, channel: str) -> Conversation:
        """The conversation, for the bot: `channel_not_found`, `not_in_channel`."""
        found = self.conversations.get(channel)
        if found is None:
            raise SlackSays("channel_not_found")
        if BOT_USER not in found.members:
            raise SlackSays("not_in_channel")
        return found

    def writable(self, channel: str) -> Conversation:
        """The conversation, to post into: `is_archived` besides."""
        found = self.conversation(channel)
        if found.is_archived:
            raise SlackSays("is_archived")
        return found

    def direct(self, user: str) -> Conversation:
        """The direct conversation of the bot and the user, opened if there is none: `user_not_found`."""
        if user not in self.users or self.users[user].get("deleted"):
            raise SlackSays("user_not_found" if user not in self.users else "user_disabled")
        for held in self.conversations.values():
            if held.id.startswith("D") and held.members == {user, BOT_USER}:
                return held
        self.add_conversation(f"D{user[1:]}", user)
        return self.conversations[f"D{user[1:]}"]

    def is_too_fast(self, method: str, channel: str) -> bool:
        """Whether a conversation gets more posts in a second of real time than this workspace takes."""
        if self.posts_a_second is None or method != "chat.postMessage":
            return False
        now, posted = monotonic(), self._posted.setdefault(channel, deque())
        while posted and posted[0] <= now - 1:
            posted.popleft()
        if len(posted) >= self.posts_a_second:
            return True
        posted.append(now)
        return False

    def message(self, channel: str, ts: str) -> Json:
        """The message: `message_not_found`."""
        found = next((held for held in self.conversation(channel).messages if held["ts"] == ts), None)
        if found is None:
            raise SlackSays("message_not_found")
        return found

    def thread(self, channel: str, root: str) -> list[Json]:
        """The replies of a thread, oldest first."""
        held = self.conversations[channel].messages
        return [message for message in held if message.get("thread_ts") == root]

    def called(self, method: str) -> list[Json]:
        """The arguments of every call of the method."""
        return [arguments for name, arguments in self.calls if name == method]

    def fault(self, method: str, faults: list[str], error: str) -> None:
        """Refuse an illegal payload, and remember it."""
        if faults:
            self.faults += [f"{method}: {fault}" for fault in faults]
            raise SlackSays(error)
