import asyncio

from adapters.channels.slack.pace import Pace
from adapters.control.redis.connections import create_client
from adapters.control.redis.rate_limit import RateLimit
from bot.clock import SystemClock


async def test_the_same_key_waits_its_turn() -> None:
    pace, order = Pace(0.05), list[int]()

    async def happen(number: int) -> None:
        await pace.wait("C0SALES")
        order.append(number)

    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(happen(number) for number in range(4)))
    assert asyncio.get_running_loop().time() - began >= 0.15
    assert order == [0, 1, 2, 3]


async def test_other_keys_do_not_wait() -> None:
    pace = Pace(60)
    began = asyncio.get_running_loop().time()
    for number in range(100):
        await pace.wait(str(number))
    assert asyncio.get_running_loop().time() - began < 5


async def test_keys_whose_time_is_over_are_forgotten() -> None:
    pace = Pace(0)
    for number in range(100):
        await pace.wait(str(number))
    assert len(pace._next) <= 1


async def test_processes_that_share_a_gate_keep_one_pace(valkey_url: str) -> None:
    cache, moments = create_client(valkey_url), list[float]()
    paces = [Pace(0.2, RateLimit(cache, SystemClock())) for _ in range(3)]

    async def happen(pace: Pace) -> None:
        await pace.wait("post:C0SALES")
        moments.append(asyncio.get_running_loop().time())

    await asyncio.gather(*(happen(pace) for pace in paces))
    await cache.aclose()
    assert moments[2] - moments[0] >= 0.35


async def test_while_the_gate_is_away_a_process_keeps_its_own_pace() -> None:
    cache, count = create_client("redis://127.0.0.1:1/0"), 0
    pace = Pace(0.01, RateLimit(cache, SystemClock()))
    for _ in range(2):
        await pace.wait("post:C0SALES")
        count += 1
    await cache.aclose()
    assert count == 2
