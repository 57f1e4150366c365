"""What the bot sent, and what it gets in place of an answer."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class Posted:
    """A message of the bot as it stands now. `versions` are all it ever was, written at `times`."""

    conversation: str
    id: str
    versions: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    is_deleted: bool = False

    @property
    def activity(self) -> dict[str, Any]:
        """What people see."""
        return self.versions[-1]

    @property
    def attachment(self) -> dict[str, Any]:
        """Its one attachment."""
        attachments: list[dict[str, Any]] = self.activity["attachments"]
        return attachments[0]

    @property
    def card(self) -> dict[str, Any]:
        """Its card."""
        content: dict[str, Any] = self.attachment["content"]
        return content


@dataclass(kw_only=True)
class Failure:
    """An answer that the next send gets in place of its own; `done` tells whether Teams did it all the same."""

    status: int
    retry_after: int | None = None
    done: bool = False
