"""Tells a thread what its run is doing, in one message that is edited in place and becomes the answer."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog

from agent.values.identity import RunId
from agent.values.turn import Place
from bot.ports import CardStore, Channel, PostFinder
from bot.posting import Post, post_once
from bot.signs_of_work import work_shown
from cards.build.progress import progress_card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

FIRST_AFTER_SECONDS = 1.5
"""A turn that ends sooner shows no progress at all: its outcome is the first message."""

EDIT_EVERY_SECONDS = 2.0
"""Teams allows 60 sends in 30 s per thread, Slack about one edit a second per message."""

log = structlog.get_logger()


class RunProgress:
    """The steps of the runs of this process. A platform that refuses a progress message never fails a run."""

    def __init__(self, cards: CardStore) -> None:
        self._cards = cards
        self._steps: dict[RunId, list[str]] = {}

    async def step(self, run: RunId, step: str) -> None:
        """Note that the run has reached a step."""
        self._steps.setdefault(run, []).append(step)

    @contextmanager
    def unseen(self, run: RunId) -> Iterator[None]:
        """While inside, the run's steps are shown to nobody."""
        try:
            yield
        finally:
            self._steps.pop(run, None)

    @asynccontextmanager
    async def shown(
        self, channel: Channel, place: Place, run: RunId, shown_as: Post, locale: Locale
    ) -> AsyncIterator[None]:
        """While inside, the steps of `run` are shown in the message that is remembered as `shown_as`."""
        self._steps[run] = []
        ended = asyncio.Event()
        ticker = asyncio.create_task(self._tick(ended, channel, place, run, shown_as, locale))
        try:
            async with work_shown(channel, place):
                yield
        finally:
            # Ended, not cancelled: a message half posted would be posted twice.
            ended.set()
            await ticker
            self._steps.pop(run, None)

    async def _tick(
        self, ended: asyncio.Event, channel: Channel, place: Place, run: RunId, shown_as: Post, locale: Locale
    ) -> None:
        shown = 0
        await _pause(ended, FIRST_AFTER_SECONDS)
        while not ended.is_set():
            steps = self._steps.get(run, [])
            if len(steps) > shown:
                shown = len(steps)
                await self.show(channel, place, run, shown_as, locale, tuple(steps))
            await _pause(ended, EDIT_EVERY_SECONDS)

    async def show(
        self, channel: Channel, place: Place, run: RunId, shown_as: Post, locale: Locale, steps: tuple[str, ...]
    ) -> None:
        """Show the last of the steps, with those before it. What the platform does not take is not shown."""
        card = progress_card(run, locale, steps[-1], steps[:-1])
        try:
            posted = await self._cards.get(shown_as.run, shown_as.slot)
            if posted:
                await channel.update(place, posted[0], card)
            elif isinstance(channel, PostFinder) or not await self._cards.noted(shown_as.run, shown_as.slot):
                # Where a message cannot be looked for, one that may stand there already is enough.
                await post_once(self._cards, channel, place, shown_as.run, shown_as.slot, card)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("progress_not_shown", run=run, code=error.code)


async def _pause(ended: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
