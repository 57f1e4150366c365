"""So many at once, the oldest first, and nobody kept waiting where others could use the worker."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Final

from agent.values.turn import Turn

TURNS_AT_ONCE: Final = 8
"""Turns of different threads handled side by side by one worker."""

MOMENT_SECONDS: Final = 1.0
"""How long a turn waits for a place before it gives its worker to another turn."""

COMES_BACK_SECONDS: Final = 1.5
"""After how long a turn that found no place is handled again."""

KEPT_FOR_SECONDS: Final = 4.0
"""How long a free place is kept from younger turns for an older one that comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    since: datetime
    called: "asyncio.Future[None]"


class Places:
    """At most `most` hold a place.

    Turns are older by when they were received, and a free place goes to the oldest: one that was put off and is to
    come back still has its turn before those who came later. Where nothing moved for a moment, nobody waits at all,
    and never do more than `waiting` of them: the worker has others to handle.
    """

    def __init__(
        self,
        most: int,
        *,
        waiting: int = 1,
        moment: float = MOMENT_SECONDS,
        kept_for: float = KEPT_FOR_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._free = most
        self._most_waiting = waiting
        self._moment = moment
        self._kept_for = kept_for
        self._clock = clock
        self._moved_at = clock()
        self._waiting: list[_Waiting] = []
        self._away: dict[str, tuple[datetime, float]] = {}

    async def take(self, turn: Turn | None) -> bool:
        """Whether there was a place within a moment; None waits as long as it takes. Whoever has one gives it back."""
        since = turn.received_at if turn else datetime.now(UTC)
        if turn:
            self._away.pop(turn.event_id, None)
        if self._free > self._ahead_of(since):
            self._free -= 1
            self._moved_at = self._clock()
            return True
        taken = await self._wait(since, comes_back=turn is not None)
        if turn and not taken:
            self._keep_turn_of(turn)
        return taken

    def may_ask(self, turn: Turn) -> bool:
        """Whether the turn might get a place if it asked now; where it would not, it is as if it had asked."""
        self._away.pop(turn.event_id, None)
        if self._free > self._ahead_of(turn.received_at) or self._patience() > 0:
            return True
        self._keep_turn_of(turn)
        return False

    def give_back(self) -> None:
        """The place is free for whoever is next."""
        self._free += 1
        self._moved_at = self._clock()
        self._call()

    async def _wait(self, since: datetime, *, comes_back: bool) -> bool:
        patience = self._patience() if comes_back else None
        if patience == 0:
            return False
        waiting = _Waiting(since=since, called=asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await asyncio.wait({waiting.called}, timeout=patience)
        except asyncio.CancelledError:
            if waiting.called.done():
                self.give_back()
            raise
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
        return waiting.called.done()

    def _patience(self) -> float:
        if len(self._waiting) >= self._most_waiting:
            return 0
        return max(0.0, min(self._moment, self._moved_at + self._moment - self._clock()))

    def _keep_turn_of(self, turn: Turn) -> None:
        self._away[turn.event_id] = (turn.received_at, self._clock() + self._kept_for)
        asyncio.get_running_loop().call_later(self._kept_for, self._call)

    def _call(self) -> None:
        """Give free places to those who wait, the oldest first."""
        for waiting in sorted(self._waiting, key=lambda each: each.since):
            if self._free <= self._away_before(waiting.since):
                return
            self._free -= 1
            self._waiting.remove(waiting)
            waiting.called.set_result(None)

    def _ahead_of(self, since: datetime) -> int:
        return self._away_before(since) + sum(each.since < since for each in self._waiting)

    def _away_before(self, since: datetime) -> int:
        now = self._clock()
        self._away = {event: kept for event, kept in self._away.items() if kept[1] > now}
        return sum(older < since for older, _ in self._away.values())
