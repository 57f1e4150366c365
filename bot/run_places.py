"""Where a run lives: its channel, and the thread that its cards go to."""

from dataclasses import replace
from typing import get_args

from agent.values.identity import ChannelName, ThreadKey
from agent.values.outcome import RunRecord
from agent.values.turn import Place, Turn


def channel_of(thread: str) -> ChannelName:
    """The channel a thread key belongs to."""
    name = thread.partition(":")[0]
    return next(channel for channel in get_args(ChannelName) if channel == name)


def at_home(turn: Turn, record: RunRecord, known: Place | None) -> Turn:
    """The turn as if it had come in where its run lives: what follows belongs there, not where a copy was pressed.

    `known` is where the run's card stands.
    """
    if turn.thread == record.thread:
        return turn
    address = known.address if known else ""
    return replace(turn, thread=ThreadKey(record.thread), channel=channel_of(record.thread), address=address)
