"""Leaves a model's endpoint or a warehouse alone for a while after it failed several times in a row."""

from collections.abc import Callable
from time import monotonic

from agent.ports import BreakerState


class CircuitBreaker:
    """Closed while calls succeed. After `open_after` failures in a row it is open for `rest_seconds`, then one call
    may try: its success closes the breaker, its failure opens it again.
    """

    def __init__(self, open_after: int, rest_seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._open_after = open_after
        self._rest = rest_seconds
        self._clock = clock
        self._failures = 0
        self._opened_at: float | None = None

    def state(self) -> BreakerState:
        """How it stands now; half open once it has rested and the one trial may be made."""
        if self._opened_at is None:
            return "closed"
        return "open" if self._clock() - self._opened_at < self._rest else "half_open"

    def allows(self) -> bool:
        """Whether a call may be made now; where it is the one trial, the next caller has to wait again."""
        if self._opened_at is None:
            return True
        if self._clock() - self._opened_at < self._rest:
            return False
        self._opened_at = self._clock()
        return True

    def rests_for(self) -> float:
        """Seconds until a call may try again; 0 where one may now."""
        return 0.0 if self._opened_at is None else max(0.0, self._opened_at + self._rest - self._clock())

    def succeeded(self) -> bool:
        """The endpoint answered, whatever it said. Whether the call before had failed."""
        had_failed = self._failures > 0
        self._failures = 0
        self._opened_at = None
        return had_failed

    def failed(self) -> None:
        """The endpoint did not answer."""
        self._failures += 1
        if self._failures >= self._open_after:
            self._opened_at = self._clock()
