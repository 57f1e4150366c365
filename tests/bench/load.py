"""Load: on a fixed schedule whatever becomes of it, or as fast as it is taken."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


async def on_schedule(do: Callable[[], Awaitable[object]], *, rate: int, seconds: float) -> list[float]:
    """Do it `rate` times a second, whatever becomes of those before; milliseconds of each since it was due."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def one(number: int) -> float:
        due = began + number / rate
        await asyncio.sleep(due - loop.time())
        await do()
        return (loop.time() - due) * 1_000

    return await asyncio.gather(*(one(number) for number in range(round(rate * seconds))))


async def at_once(things: Iterable[Thing], do: Callable[[Thing], Awaitable[object]], *, side_by_side: int = 8) -> None:
    """Do it for each of the things, so many at a time."""
    left = iter(things)

    async def some() -> None:
        for thing in left:
            await do(thing)

    await asyncio.gather(*(some() for _ in range(side_by_side)))
