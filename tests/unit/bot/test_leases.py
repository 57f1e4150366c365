import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field

import pytest

from agent.errors import StoreUnavailable
from bot.leases import Leases, TurnHeld


@dataclass
class Events:
    """Says what it is told to."""

    taken: str = "taken"
    stolen: bool = False
    away: bool = False
    released: list[str] = field(default_factory=list)

    async def take(self, event: str, job: int, holder: str) -> str:  # noqa: ARG002  # the port's arguments
        return self.taken

    async def renew(self, holders: Collection[str]) -> frozenset[str]:
        if self.away:
            raise StoreUnavailable("OperationalError")
        return frozenset() if self.stolen else frozenset(holders)

    async def release(self, holder: str) -> None:
        self.released.append(holder)

    async def abandoned(self, queue: str) -> tuple[int, ...]:  # noqa: ARG002
        return ()

    async def leave_one(self, job: int) -> bool:  # noqa: ARG002
        return True


@dataclass
class Work:
    """Goes on until it is let go."""

    done: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self) -> None:
        self.begun.set()
        await self.go_on.wait()
        self.done += 1


async def test_what_another_job_took_is_not_done_again() -> None:
    work = Work()
    await Leases(Events(taken="elsewhere")).handle("Ev1", 7, work)
    assert not work.begun.is_set()


async def test_a_turn_that_somebody_is_at_is_tried_again_later() -> None:
    work = Work()
    with pytest.raises(TurnHeld):
        await Leases(Events(taken="held")).handle("Ev1", 7, work)
    assert not work.begun.is_set()


async def test_work_that_was_taken_over_ends_here() -> None:
    events, work = Events(), Work()
    leases = Leases(events)
    task = asyncio.create_task(leases.handle("Ev1", 7, work))
    await work.begun.wait()
    await leases.renew()
    assert not task.done()
    events.stolen = True
    await leases.renew()
    with pytest.raises(TurnHeld):
        await task
    assert work.done == 0


async def test_a_store_that_is_away_takes_nothing_from_anybody() -> None:
    events, work = Events(away=True), Work()
    leases = Leases(events)
    task = asyncio.create_task(leases.handle("Ev1", 7, work))
    await work.begun.wait()
    await leases.renew()
    work.go_on.set()
    await task
    assert work.done == 1
    assert events.released == []


async def test_what_is_cut_short_is_given_back_at_once() -> None:
    events, work = Events(), Work()
    task = asyncio.create_task(Leases(events).handle("Ev1", 7, work))
    await work.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(events.released) == 1
