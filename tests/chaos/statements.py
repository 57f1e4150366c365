"""What reached the warehouse: every statement that a client sent, read off PostgreSQL's wire protocol."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

_LOOKED_UP = ("SELECT DISTINCT ", "SELECT max(", "SELECT coalesce(sum(pg_total_relation_size(")
"""How the product asks for members, for the newest day and for sizes: no question of a person's."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A statement, when it was passed on."""

    at: datetime
    text: str


@dataclass(kw_only=True)
class Statements:
    """All of them, in their order."""

    sent: list[Sent] = field(default_factory=list)

    def overhear(self) -> Callable[[bytes], None]:
        """Of one connection."""
        return _Connection(self._keep).hear

    @property
    def reads(self) -> list[Sent]:
        """Those that read rows for somebody."""
        return [each for each in self.sent if _is_read(each.text)]

    def _keep(self, text: str) -> None:
        self.sent.append(Sent(at=datetime.now(UTC), text=text))


class _Connection:
    """Messages of a client as they come in pieces. Before its start-up message there may be requests without a type."""

    def __init__(self, keep: Callable[[str], None]) -> None:
        self._keep = keep
        self._held = b""
        self._is_started = False

    def hear(self, data: bytes) -> None:
        self._held += data
        while (length := self._length()) and len(self._held) >= length:
            message, self._held = self._held[:length], self._held[length:]
            self._read(message)

    def _length(self) -> int:
        """Of the message that is coming in; 0 while that is not known."""
        typed = 1 if self._is_started else 0
        if len(self._held) < typed + 4:
            return 0
        return typed + int(struct.unpack_from("!I", self._held, typed)[0])

    def _read(self, message: bytes) -> None:
        if not self._is_started:
            # The version of the protocol; requests for encryption or to cancel carry 1234 in its place.
            self._is_started = struct.unpack_from("!H", message, 4)[0] == 3
        elif message[:1] == b"Q":
            self._keep(message[5:-1].decode())
        elif message[:1] == b"P":
            self._keep(message[5:].split(b"\0")[1].decode())


def _is_read(text: str) -> bool:
    said = text.strip()
    return said.upper().startswith(("SELECT", "WITH")) and said != "SELECT 1" and not said.startswith(_LOOKED_UP)
