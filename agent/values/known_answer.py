"""Rows that answered the asker's very question before."""

from dataclasses import dataclass
from datetime import datetime

from agent.values.identity import RunId
from agent.values.result import ResultRef


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswer:
    """The stored rows of `run`, fetched from the warehouse at `fetched_at` (aware, UTC)."""

    run: RunId
    result: ResultRef
    fetched_at: datetime
