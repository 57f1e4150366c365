"""What the audit log is told of a run."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """One row of the log. A second one of the run under the same `once` (not empty) is not written.

    `facts` are plain values; never row data or message bodies.
    """

    name: str
    by: str
    facts: dict[str, Any]
    once: str
