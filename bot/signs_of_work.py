"""Signs that somebody is being answered, on platforms that show such a thing for some seconds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Protocol, runtime_checkable

from agent.values.turn import Place
from bot.ports import Channel

EVERY_SECONDS = 3.0
"""How long Teams shows that somebody is typing, at the least."""


@runtime_checkable
class ShowsWork(Protocol):
    """A channel that can show for some seconds that an answer is being worked on. Best effort: it never fails a run."""

    async def show_work(self, place: Place) -> None:
        """Show it in the thread, from now on for some seconds."""
        ...


@asynccontextmanager
async def work_shown(channel: Channel, place: Place, every: float = EVERY_SECONDS) -> AsyncIterator[None]:
    """While inside, the thread sees that it is being answered; nothing on a channel that cannot show it."""
    if not isinstance(channel, ShowsWork):
        yield
        return
    showing = asyncio.create_task(_repeat(channel, place, every))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _repeat(channel: ShowsWork, place: Place, every: float) -> None:
    while True:
        await channel.show_work(place)
        await asyncio.sleep(every)
