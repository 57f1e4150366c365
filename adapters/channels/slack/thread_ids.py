"""Thread keys of Slack: `slack:<team>:<channel>:<root ts>`."""

import re
from dataclasses import dataclass
from typing import Final

from agent.values.identity import ThreadKey
from semantic_catalog.errors import OperatorError

# For example slack:T0AAAAAAA:C0BBBBBBB:1793545200.000100
_KEY: Final = re.compile(r"slack:([A-Z0-9]{1,40}):([A-Z0-9]{1,40}):([0-9]{1,12}\.[0-9]{1,8})", re.ASCII)


class NotASlackThread(OperatorError):
    """The key belongs to another channel, or is not whole."""

    code = "not_a_slack_thread"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackThread:
    """A thread as Slack's methods take it: `channel` is a channel id, `root` the `ts` of the thread's first message."""

    team: str
    channel: str
    root: str


def slack_thread(thread: SlackThread) -> ThreadKey:
    """The thread's key. Raises `NotASlackThread` when a part is missing or malformed."""
    key = f"slack:{thread.team}:{thread.channel}:{thread.root}"
    if not _KEY.fullmatch(key):
        raise NotASlackThread("a part of the thread is missing or malformed")
    return ThreadKey(key)


def read_slack_thread(key: ThreadKey) -> SlackThread:
    """The thread that `slack_thread` was given. Raises `NotASlackThread` for any other key."""
    found = _KEY.fullmatch(key)
    if found is None:
        raise NotASlackThread("the thread key is not of Slack")
    return SlackThread(team=found[1], channel=found[2], root=found[3])
