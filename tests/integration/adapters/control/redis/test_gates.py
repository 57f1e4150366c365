import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from redis.asyncio import Redis

from adapters.control.redis.cancels import CancelFlags
from adapters.control.redis.connections import create_client
from adapters.control.redis.events import SeenEvents
from adapters.control.redis.health import health
from adapters.control.redis.leases import RunLeases
from adapters.control.redis.members import MemberCache
from adapters.control.redis.rate_limit import RateLimit
from agent.errors import CacheUnavailable
from agent.values.identity import RunId
from tests.fakes.clock import FrozenClock
from tests.fakes.relay import Relay, open_relay

RUN = RunId("run-1")
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def relay(valkey_url: str) -> AsyncIterator[Relay]:
    async with open_relay(urlsplit(valkey_url).path) as relay:
        yield relay


@pytest.fixture
async def client(valkey_url: str, relay: Relay) -> AsyncIterator[Redis]:
    number = parse_qs(urlsplit(valkey_url).query)["db"][0]
    client = create_client(f"redis://127.0.0.1:{relay.port}/{number}", patience=0.5)
    yield client
    await client.aclose()


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


async def test_a_cancel_is_seen_for_its_run_only(client: Redis) -> None:
    flags = CancelFlags(client)
    assert not await flags.is_cancelled(RUN)
    await flags.request_cancel(RUN)
    await flags.request_cancel(RUN)
    assert await flags.is_cancelled(RUN)
    assert not await flags.is_cancelled(RunId("run-2"))


async def test_a_lease_has_one_holder(client: Redis) -> None:
    leases = RunLeases(client)
    tokens = await asyncio.gather(*(leases.acquire(RUN, MINUTE) for _ in range(8)))
    assert len([token for token in tokens if token is not None]) == 1


async def test_a_released_lease_can_be_taken_by_another(client: Redis) -> None:
    leases = RunLeases(client)
    token = await leases.acquire(RUN, MINUTE)
    assert token is not None
    assert await leases.acquire(RUN, MINUTE) is None
    assert await leases.release(RUN, token)
    assert await leases.acquire(RUN, MINUTE) is not None


async def test_only_the_holder_renews_and_releases(client: Redis) -> None:
    leases = RunLeases(client)
    token = await leases.acquire(RUN, MINUTE)
    assert token is not None
    assert not await leases.renew(RUN, "another", 2 * MINUTE)
    assert not await leases.release(RUN, "another")
    assert await leases.renew(RUN, token, 2 * MINUTE)
    assert await client.pttl(f"countersign:lease:{RUN}") > 60_000


async def test_a_lapsed_lease_is_neither_renewed_nor_released(client: Redis) -> None:
    leases = RunLeases(client)
    token = await leases.acquire(RUN, MINUTE)
    assert token is not None
    await client.delete(f"countersign:lease:{RUN}")
    assert not await leases.renew(RUN, token, MINUTE)
    assert not await leases.release(RUN, token)


async def test_members_come_back_in_their_order_and_lapse(client: Redis) -> None:
    cache = MemberCache(client)
    assert await cache.get("payments", "semantic.v", "channel") is None
    await cache.put("payments", "semantic.v", "channel", ("pos", "ñ", ""), MINUTE)
    await cache.put("payments", "semantic.v", "brand", (), MINUTE)
    assert await cache.get("payments", "semantic.v", "channel") == ("pos", "ñ", "")
    assert await cache.get("payments", "semantic.v", "brand") == ()
    assert 0 < await client.pttl("countersign:members:payments:semantic.v:channel") <= 60_000


CALLS: dict[str, Callable[[Redis], Awaitable[object]]] = {
    "events": lambda client: SeenEvents(client).first_time("Ev1"),
    "remembered events": lambda client: SeenEvents(client).remember("Ev1", MINUTE),
    "rates": lambda client: RateLimit(client, FrozenClock()).allow("ana", 100, MINUTE),
    "cancel requests": lambda client: CancelFlags(client).request_cancel(RUN),
    "cancel flags": lambda client: CancelFlags(client).is_cancelled(RUN),
    "leases": lambda client: RunLeases(client).acquire(RUN, MINUTE),
    "renewals": lambda client: RunLeases(client).renew(RUN, "token", MINUTE),
    "releases": lambda client: RunLeases(client).release(RUN, "token"),
    "members": lambda client: MemberCache(client).get("payments", "semantic.v", "channel"),
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
