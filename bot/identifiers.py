"""Run ids: made from the event that opened the run, so that the same event always means the same run."""

import base64
import hashlib

from agent.values.identity import RunId, ThreadKey

_LENGTH = 12


def run_id(event_id: str) -> RunId:
    """Twelve letters and digits (60 bits of a hash): short enough to read aloud, the same on every retry."""
    digest = hashlib.sha256(event_id.encode()).digest()
    return RunId(base64.b32encode(digest).decode()[:_LENGTH])


def graph_thread_id(thread: ThreadKey, run: RunId) -> str:
    """The checkpointer's thread id of a run."""
    return f"{thread}/{run}"
