import asyncio

from adapters.channels.slack.pace import Pace


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
