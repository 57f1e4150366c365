"""One process at a time handles a turn, and shows that it is alive while it does."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol
from uuid import uuid4

import structlog

from agent.errors import StoreFailed, StoreUnavailable
from semantic_catalog.errors import OperatorError

RENEW_EVERY_SECONDS = 5.0

log = structlog.get_logger()


class TurnHeld(OperatorError):
    """Another process is at this turn: it is tried again later, in case that one does not finish it."""

    code = "turn_held"


class EventLeases(Protocol):
    """Who handles which event. Raises `StoreUnavailable`."""

    async def take(self, event: str, job: int, holder: str) -> str:
        """`taken`, `held` by somebody else, or `elsewhere`: another job has the event."""
        ...

    async def renew(self, holders: Collection[str]) -> frozenset[str]:
        """Hold on; those that still hold."""
        ...

    async def release(self, holder: str) -> None:
        """Let the event's job be taken again at once."""
        ...

    async def abandoned(self, queue: str) -> tuple[int, ...]:
        """Jobs of the queue that run without anybody at work on them."""
        ...

    async def leave_one(self, job: int) -> bool:
        """Of the job and a repetition that waits behind it leave the one that has the event; whether it is the job."""
        ...


class Leases:
    """The turns that this process handles."""

    def __init__(self, events: EventLeases) -> None:
        self._events = events
        self._running: dict[str, asyncio.Task[object]] = {}
        self._lost: set[str] = set()

    async def handle(self, event: str, job: int, work: Callable[[], Awaitable[object]]) -> None:
        """Do the work unless another job has the event. What `work` raises is raised, with the lease given back.

        Raises `TurnHeld` while somebody else is at it, also when that comes out in the middle: the work is cancelled
        then. Raises `StoreUnavailable`.
        """
        holder = uuid4().hex
        taken = await self._events.take(event, job, holder)
        if taken == "held":
            raise TurnHeld(f"job {job}")
        if taken != "taken":
            return
        try:
            await self._held(holder, work)
        except BaseException:
            await self._release(holder)
            raise

    async def renew(self) -> None:
        """Show that the turns of this process are being handled; one that was taken over is ended here."""
        holders = tuple(self._running)
        if not holders:
            return
        try:
            kept = await self._events.renew(holders)
        except (StoreUnavailable, StoreFailed) as error:
            log.warning("leases_not_renewed", detail=error.detail)
            return
        for holder in holders:
            task = self._running.get(holder)
            if holder not in kept and task is not None:
                self._lost.add(holder)
                task.cancel()

    async def abandoned(self, queue: str) -> tuple[int, ...]:
        """Jobs of the queue that nobody is at, in any process. Raises `StoreUnavailable`."""
        return tuple([job for job in await self._events.abandoned(queue) if await self._events.leave_one(job)])

    async def _held(self, holder: str, work: Callable[[], Awaitable[object]]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running[holder] = task
        try:
            await work()
        except asyncio.CancelledError:
            if holder not in self._lost:
                raise
            task.uncancel()
            raise TurnHeld("taken over") from None
        finally:
            self._running.pop(holder, None)
            self._lost.discard(holder)

    async def _release(self, holder: str) -> None:
        try:
            await self._events.release(holder)
        except (StoreUnavailable, StoreFailed) as error:
            log.warning("lease_not_released", detail=error.detail)
