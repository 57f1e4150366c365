"""Thread keys of the terminal: `console:<name>`."""

from typing import Final

from agent.values.identity import ThreadKey
from semantic_catalog.errors import OperatorError

_PREFIX: Final = "console:"


class NotAConsoleThread(OperatorError):
    """The key belongs to another channel, or names nothing."""

    code = "not_a_console_thread"


def console_thread(name: str) -> ThreadKey:
    """The key of the thread `name`. Raises `NotAConsoleThread` for an empty name."""
    if not name.strip():
        raise NotAConsoleThread("a console thread needs a name")
    return ThreadKey(_PREFIX + name.strip())


def console_name(thread: ThreadKey) -> str:
    """The name that `console_thread` was given. Raises `NotAConsoleThread` for any other key."""
    name = thread.removeprefix(_PREFIX)
    if not thread.startswith(_PREFIX) or not name:
        raise NotAConsoleThread("the thread key is not of the console")
    return name
