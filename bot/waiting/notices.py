"""Tells threads that their turns wait, in the message that becomes what the turns come to."""

import asyncio
from dataclasses import replace
from time import monotonic
from typing import Final

import structlog

from adapters.control.postgres.queued_turns import PostgresQueuedTurns, Untold
from agent.codec import decode
from agent.values.identity import ChannelName
from agent.values.outcome import Rejected
from agent.values.turn import Turn
from bot.ports import PostFinder
from bot.posting import Post
from bot.run_desk import RunDesk, place_of, progress_post, run_of
from cards.build.decided import rejected_card
from cards.build.queued import no_longer_queued_card, queued_card
from cards.elements import Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import DomainName, Locale

CHANNELS: Final[tuple[ChannelName, ...]] = ("slack", "teams")
"""Where people are told; who types in a terminal sees it."""

ROUND_SECONDS: Final = 2.0
MOST_A_ROUND: Final = 2
"""A long queue is told of little by little: what is told costs more than an acknowledgement, and comes on top of it."""

SHOW_WITHIN_SECONDS: Final = 8.0
"""Below how long a turn is held back for it."""

REST_SECONDS: Final = 10.0
"""How long a platform that did not take a notice, and asked for no pause of its own, is told nothing more."""

LOOK_AGAIN_SECONDS: Final = 0.1

log = structlog.get_logger()


class QueueNotices:
    """The queue as people see it. Any number of processes may tell; each turn is told of by one at a time."""

    def __init__(self, desk: RunDesk, queue: PostgresQueuedTurns) -> None:
        self._desk = desk
        self._queue = queue
        self._rest_until = {channel: 0.0 for channel in CHANNELS if channel in desk.channels}

    async def round(self) -> None:
        """Tell the next few who wait for longer than a moment. Raises `StoreUnavailable`."""
        until = monotonic() + ROUND_SECONDS
        for _ in range(MOST_A_ROUND):
            if monotonic() >= until or not (listening := self._listening()):
                return
            untold = await self._queue.claim(listening)
            if untold is None:
                return
            try:
                await self._tell(untold)
            finally:
                await self._queue.release(untold)

    async def begin(self, turn: Turn) -> bool:
        """Whether the thread was told that the turn waits; nothing more is told of it from here on."""
        post = progress_post(turn)
        begun = await self._queue.begin(turn.event_id, post.run, post.slot)
        while begun == "being_told":
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            begun = await self._queue.begin(turn.event_id, post.run, post.slot)
        return begun == "seen"

    async def waits_for(self, turn: Turn) -> DomainName | None:
        """The domain whose warehouse had no place for the turn when it was put off last."""
        domain = await self._queue.waits_for(turn.event_id)
        return DomainName(domain) if domain else None

    async def put_off(self, turn: Turn, waits_for: str) -> None:
        """The turn waits again, with all that wait for the same."""
        await self._queue.put_off(turn.event_id, waits_for)

    async def end(self, turn: Turn) -> None:
        """The turn, of which the thread was told, was handled: a notice that no outcome replaced says so."""
        post = progress_post(turn)
        posted = await self._desk.delivery.cards.get(post.run, post.slot)
        if posted is not None and await self._queue.stands_alone(posted[0]):
            await self._show(turn, post, no_longer_queued_card(self._locale(turn)))
        await self._queue.end(turn.event_id)

    async def withdraw(self, turn: Turn) -> bool:
        """Take back what waits and whose notice the author has pressed; False where it is theirs no more to take."""
        event = turn.action.value if turn.action else ""
        if not event or not await self._queue.withdraw(event, turn.author):
            return False
        taken_back = replace(turn, event_id=event)
        await self.begin(taken_back)
        post, locale = progress_post(taken_back), self._locale(turn)
        name, now = turn.author.display_name or turn.author.user_id, self._desk.deps.clock.now()
        ended = Rejected(run=post.run, locale=locale, kind="cancel", by_name=name, at=now)
        await self._show(turn, post, rejected_card(ended))
        await self._queue.end(event)
        return True

    def _listening(self) -> tuple[str, ...]:
        now = monotonic()
        return tuple(channel for channel, until in self._rest_until.items() if until <= now)

    async def _tell(self, untold: Untold) -> None:
        turn = decode(Turn, untold.turn)
        try:
            async with asyncio.timeout(SHOW_WITHIN_SECONDS):
                home = await self._home(turn)
                if home.channel in self._desk.channels:
                    await self._show(home, progress_post(turn), self._card(turn, untold.before))
        except DeliveryRefused as error:
            log.info("queue_not_told", channel=turn.channel, detail=error.detail)
        except TimeoutError:
            self._rest(turn.channel, REST_SECONDS, "no answer in time")
        except DeliveryUnavailable as error:
            self._rest(turn.channel, error.retry_after or REST_SECONDS, error.detail)

    def _rest(self, channel: ChannelName, seconds: float, detail: str) -> None:
        self._rest_until[channel] = monotonic() + seconds
        log.info("queue_not_told", channel=channel, detail=detail)

    async def _home(self, turn: Turn) -> Turn:
        """A click waits where its run lives: there its outcome is going to stand."""
        record = await self._desk.runs.get(run_of(turn)) if turn.action else None
        return await self._desk.home(turn, record) if record else turn

    def _card(self, turn: Turn, before: int) -> Card:
        event = turn.event_id if turn.kind in ("message", "command") else ""
        return queued_card(progress_post(turn).run, self._locale(turn), before, event)

    def _locale(self, turn: Turn) -> Locale:
        return turn.locale or self._desk.default_locale

    async def _show(self, turn: Turn, post: Post, card: Card) -> None:
        channel, delivery = self._desk.channel(turn), self._desk.delivery
        if not isinstance(channel, PostFinder) and await delivery.cards.noted(post.run, post.slot):
            # It cannot be looked for: one that may stand there already is enough.
            return
        await delivery.show(channel, place_of(turn), post.run, post.slot, card)
