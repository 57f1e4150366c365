"""Thread keys of Teams: `teams:<tenant>:<conversation>[:<root message>]`, each part percent-encoded."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from agent.values.identity import ThreadKey
from semantic_catalog.errors import OperatorError

_PREFIX: Final = "teams"
_ROOT_MARK: Final = ";messageid="
_PARTS: Final = (3, 4)


class NotATeamsThread(OperatorError):
    """The key belongs to another channel, or is not whole."""

    code = "not_a_teams_thread"


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsThread:
    """A thread: `conversation` is Teams' id without a message, `root` the thread's first message in a channel."""

    tenant: str
    conversation: str
    root: str = ""

    @property
    def conversation_id(self) -> str:
        """The id that Teams posts to: in a channel it names the thread."""
        return f"{self.conversation}{_ROOT_MARK}{self.root}" if self.root else self.conversation


def split_conversation(conversation_id: str) -> tuple[str, str]:
    """Teams' conversation id as conversation and root message, which is empty where the id names none."""
    conversation, _, root = conversation_id.partition(_ROOT_MARK)
    return conversation, root


def teams_thread(thread: TeamsThread) -> ThreadKey:
    """The thread's key. Raises `NotATeamsThread` when the tenant or the conversation is missing."""
    if not thread.tenant or not thread.conversation:
        raise NotATeamsThread("a thread needs a tenant and a conversation")
    named = (thread.tenant, thread.conversation, *([thread.root] if thread.root else []))
    return ThreadKey(":".join((_PREFIX, *(quote(part, safe="") for part in named))))


def read_teams_thread(key: ThreadKey) -> TeamsThread:
    """The thread that `teams_thread` was given. Raises `NotATeamsThread` for any other key."""
    parts = key.split(":")
    if parts[0] != _PREFIX or len(parts) not in _PARTS:
        raise NotATeamsThread("the thread key is not of Teams")
    tenant, conversation, *root = (unquote(part) for part in parts[1:])
    thread = TeamsThread(tenant=tenant, conversation=conversation, root="".join(root))
    if teams_thread(thread) != key:
        raise NotATeamsThread("the thread key is not whole")
    return thread
