import asyncio
from typing import Any

from agent.values.identity import ThreadKey
from agent.values.turn import Place
from bot.signs_of_work import work_shown

PLACE = Place(thread=ThreadKey("teams:t:c"), address="")


class Typing:
    def __init__(self) -> None:
        self.shown: list[Place] = []
        self.often = asyncio.Event()

    async def show_work(self, place: Place) -> None:
        self.shown.append(place)
        if len(self.shown) == 3:
            self.often.set()


async def test_work_is_shown_at_once_and_again_until_it_ends() -> None:
    channel: Any = Typing()
    async with work_shown(channel, PLACE, every=0.01):
        await channel.often.wait()
    shown = len(channel.shown)
    await asyncio.sleep(0.05)
    assert channel.shown == [PLACE] * shown


async def test_a_channel_that_shows_nothing_is_left_alone() -> None:
    channel: Any = object()
    async with work_shown(channel, PLACE):
        pass
