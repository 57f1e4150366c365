"""Which turn is being handled, where it comes back by itself when it is put off."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from agent.values.turn import Turn

_TURN: ContextVar[Turn | None] = ContextVar("turn_that_comes_back", default=None)


@contextmanager
def comes_back(turn: Turn) -> Iterator[None]:
    """While inside, what waits for this turn may put it off: the inbox handles it again."""
    token = _TURN.set(turn)
    try:
        yield
    finally:
        _TURN.reset(token)


def turn_that_comes_back() -> Turn | None:
    """The turn of the inbox that is being handled; None for whatever has to be done now or never."""
    return _TURN.get()
