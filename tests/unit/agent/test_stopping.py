import asyncio
from dataclasses import dataclass, field

import pytest

from agent.errors import CacheUnavailable, QueryCancelled
from agent.stopping import stoppable, unless_stopped, unless_stopped_meanwhile
from agent.values.identity import RunId
from tests.fakes.warehouse import ScriptedWarehouse

RUN = RunId("run-1")


@dataclass
class Flags:
    """Says what it is told to, or that the cache is away."""

    asked: bool = False
    away: bool = False
    looks: int = field(default=0)

    async def is_cancelled(self, run: RunId) -> bool:
        self.looks += 1
        if self.away:
            raise CacheUnavailable("ConnectionError")
        return self.asked and run == RUN


async def test_a_run_that_was_stopped_before_it_began_does_not_begin() -> None:
    with pytest.raises(QueryCancelled):
        await unless_stopped(RUN, Flags(asked=True))
    await unless_stopped(RunId("run-2"), Flags(asked=True))


async def test_without_the_cache_a_query_goes_on() -> None:
    flags = Flags(away=True)
    async with stoppable(RUN, ScriptedWarehouse(), flags):
        await asyncio.sleep(0.6)
    assert flags.looks >= 2


async def test_nobody_looks_any_more_once_the_statement_has_ended() -> None:
    flags = Flags()
    async with stoppable(RUN, ScriptedWarehouse(), flags):
        pass
    looks = flags.looks
    await asyncio.sleep(0.6)
    assert flags.looks == looks


async def test_the_start_of_a_statement_looks_once() -> None:
    flags = Flags()
    async with stoppable(RUN, ScriptedWarehouse(), flags):
        await asyncio.sleep(0.1)
        assert flags.looks == 1


async def test_a_wish_to_stop_ends_a_call_of_a_model() -> None:
    flags, ended = Flags(), asyncio.Event()

    async def think() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    waiting = asyncio.create_task(unless_stopped_meanwhile(RUN, flags, think()))
    await asyncio.sleep(0.1)
    flags.asked = True
    with pytest.raises(QueryCancelled):
        await waiting
    await ended.wait()


async def test_what_nobody_stops_is_answered_and_its_errors_are_raised() -> None:
    async def think() -> str:
        return "86.9 %"

    async def fail() -> str:
        raise CacheUnavailable("ConnectionError")

    assert await unless_stopped_meanwhile(RUN, Flags(), think()) == "86.9 %"
    with pytest.raises(CacheUnavailable):
        await unless_stopped_meanwhile(RUN, Flags(), fail())
