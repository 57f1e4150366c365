import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from redis.asyncio import Redis

from adapters.control.redis.cancels import CancelFlags
from adapters.control.redis.events import SeenEvents
from adapters.control.redis.health import health
from adapters.control.redis.rate_limit import RateLimit
from agent.errors import CacheUnavailable
from agent.values.identity import RunId
from agent.values.rate import Excess, Rate
from tests.fakes.clock import FrozenClock
from tests.fakes.relay import Relay

RUN = RunId("run-1")
MINUTE = timedelta(minutes=1)


async def test_an_event_is_new_until_it_is_remembered(client: Redis) -> None:
    events = SeenEvents(client)
    assert await events.first_time("Ev1")
    assert await events.first_time("Ev1")
    await events.remember("Ev1", MINUTE)
    assert not await events.first_time("Ev1")
    assert await events.first_time("Ev2")


async def test_an_event_is_forgotten_in_the_end(client: Redis) -> None:
    await SeenEvents(client).remember("Ev1", MINUTE)
    assert 0 < await client.pttl("countersign:event:Ev1") <= 60_000


async def test_a_rate_is_allowed_up_to_its_limit_in_any_window(client: Redis) -> None:
    clock = FrozenClock()
    limit = RateLimit(client, clock)
    assert await limit.allow("ana", 2, MINUTE)
    clock.advance(timedelta(seconds=40))
    assert await limit.allow("ana", 2, MINUTE)
    clock.advance(timedelta(seconds=19))
    assert not await limit.allow("ana", 2, MINUTE)
    clock.advance(timedelta(seconds=1))
    assert await limit.allow("ana", 2, MINUTE)
    assert not await limit.allow("ana", 2, MINUTE)


async def test_a_refused_use_is_not_counted(client: Redis) -> None:
    clock = FrozenClock()
    limit = RateLimit(client, clock)
    assert await limit.allow("ana", 1, MINUTE)
    for _ in range(59):
        clock.advance(timedelta(seconds=1))
        assert not await limit.allow("ana", 1, MINUTE)
    clock.advance(timedelta(seconds=1))
    assert await limit.allow("ana", 1, MINUTE)


async def test_each_key_has_a_rate_of_its_own(client: Redis) -> None:
    limit = RateLimit(client, FrozenClock())
    assert await limit.allow("ana", 1, MINUTE)
    assert await limit.allow("ben", 1, MINUTE)


async def test_uses_at_the_same_instant_are_counted_one_by_one(client: Redis) -> None:
    limit = RateLimit(client, FrozenClock())
    allowed = await asyncio.gather(*(limit.allow("ana", 3, MINUTE) for _ in range(10)))
    assert allowed.count(True) == 3


async def test_the_same_event_counts_once(client: Redis) -> None:
    limit = RateLimit(client, FrozenClock())
    again = await asyncio.gather(*(limit.allow("ana", 2, MINUTE, "Ev1") for _ in range(5)))
    assert again == [True] * 5
    assert await limit.allow("ana", 2, MINUTE, "Ev2")
    assert not await limit.allow("ana", 2, MINUTE, "Ev3")
    assert await limit.allow("ana", 2, MINUTE, "Ev1")


PERSON, THREAD = Rate(name="person", key="p:ana", limit=2), Rate(name="thread", key="t:1", limit=3)


async def test_a_use_is_counted_under_every_rate_or_under_none(client: Redis) -> None:
    clock = FrozenClock()
    gate = RateLimit(client, clock)
    assert await gate.take((PERSON, THREAD), MINUTE, "Ev1") is None
    clock.advance(timedelta(seconds=20))
    assert await gate.take((PERSON, THREAD), MINUTE, "Ev2") is None
    assert await gate.take((PERSON, THREAD), MINUTE, "Ev2") is None
    for _ in range(3):
        assert await gate.take((PERSON, THREAD), MINUTE, "Ev3") == Excess(rate=PERSON, seconds=40)
    ben = replace(PERSON, key="p:ben")
    assert await gate.take((ben, THREAD), MINUTE, "Ev4") is None
    assert await gate.take((ben, THREAD), MINUTE, "Ev5") == Excess(rate=THREAD, seconds=40)
    clock.advance(timedelta(seconds=40))
    assert await gate.take((ben, THREAD), MINUTE, "Ev5") is None


async def test_a_cancel_is_seen_for_its_run_only(client: Redis) -> None:
    flags = CancelFlags(client)
    assert not await flags.is_cancelled(RUN)
    await flags.request_cancel(RUN)
    await flags.request_cancel(RUN)
    assert await flags.is_cancelled(RUN)
    assert not await flags.is_cancelled(RunId("run-2"))


CALLS: dict[str, Callable[[Redis], Awaitable[object]]] = {
    "events": lambda client: SeenEvents(client).first_time("Ev1"),
    "remembered events": lambda client: SeenEvents(client).remember("Ev1", MINUTE),
    "rates": lambda client: RateLimit(client, FrozenClock()).allow("ana", 100, MINUTE),
    "several rates": lambda client: RateLimit(client, FrozenClock()).take((PERSON, THREAD), MINUTE, "Ev1"),
    "cancel requests": lambda client: CancelFlags(client).request_cancel(RUN),
    "cancel flags": lambda client: CancelFlags(client).is_cancelled(RUN),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
async def test_every_call_says_so_when_redis_is_away_and_works_again_once_it_is_back(
    client: Redis, relay: Relay, call: Callable[[Redis], Awaitable[object]]
) -> None:
    await call(client)
    await relay.shut()
    with pytest.raises(CacheUnavailable):
        await call(client)
    assert not (await health(client)).ok
    await relay.open()
    await call(client)
    assert (await health(client)).ok


async def test_a_redis_that_hangs_is_given_up(client: Redis, relay: Relay) -> None:
    relay.freeze()
    with pytest.raises(CacheUnavailable):
        await SeenEvents(client).first_time("Ev1")
