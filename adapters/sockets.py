"""Whether an idle connection still stands, without a round trip."""

import select
from typing import Protocol


class _LibpqConnection(Protocol):
    @property
    def socket(self) -> int: ...


class _Connection(Protocol):
    @property
    def pgconn(self) -> _LibpqConnection: ...


def is_quiet(connection: _Connection) -> bool:
    """Nothing waits to be read: a server that hung up, or has something to say, would show.

    A server that hangs does not: the statement's own timeout finds that.
    """
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN | select.POLLHUP | select.POLLERR)
    return not poll.poll(0)
