"""States of installations under way, kept for every process."""

import logging
import secrets
from datetime import timedelta
from hashlib import sha256
from logging import Logger
from typing import Final

from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from adapters.channels.slack.oauth.rows import StateRows
from agent.ports import Clock

LIFETIME: Final = timedelta(minutes=10)
_BYTES: Final = 32


class StoredStates(AsyncOAuthStateStore):
    """Issues states that are good once, for ten minutes, in any process. Raises `StoreUnavailable`."""

    def __init__(self, rows: StateRows, clock: Clock) -> None:
        self._rows = rows
        self._clock = clock

    @property
    def logger(self) -> Logger:
        """The SDK's logger."""
        return logging.getLogger(__name__)

    async def async_issue(self, *_args: object, **_kwargs: object) -> str:
        """A new state."""
        state = secrets.token_urlsafe(_BYTES)
        await self._rows.issue(_digest(state), self._clock.now() + LIFETIME)
        return state

    async def async_consume(self, state: str) -> bool:
        """Whether the state was issued and not consumed before."""
        return await self._rows.consume(_digest(state), self._clock.now())


def _digest(state: str) -> bytes:
    return sha256(state.encode()).digest()
