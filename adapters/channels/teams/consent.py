"""What a file consent card carries through a person's client and back, signed: it names one file of one thread."""

import hmac
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from adapters.channels.teams.activities import Wire
from agent.values.identity import RunId, ThreadKey


class _Context(Wire):
    run: str
    key: str
    name: str
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFile:
    """A file that was offered: the run's attachment `key`, under its `name`."""

    run: RunId
    key: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentContexts:
    """Writes and reads contexts under one secret."""

    secret: bytes = field(repr=False)

    def write(self, file: OfferedFile, thread: ThreadKey) -> dict[str, str]:
        """The context of a card that offers the file in the thread."""
        signature = self._sign(file, thread)
        return {"run": file.run, "key": file.key, "name": file.name, "signature": signature}

    def read(self, context: Any, thread: ThreadKey) -> OfferedFile | None:
        """The offered file; None for a context that was not written here for this thread."""
        try:
            told = _Context.model_validate(context)
        except ValidationError:
            return None
        file = OfferedFile(run=RunId(told.run), key=told.key, name=told.name)
        is_ours = hmac.compare_digest(told.signature.encode(), self._sign(file, thread).encode())
        return file if is_ours else None

    def _sign(self, file: OfferedFile, thread: ThreadKey) -> str:
        signed = "\n".join((thread, file.run, file.key, file.name)).encode()
        return hmac.digest(self.secret, signed, "sha256").hex()
