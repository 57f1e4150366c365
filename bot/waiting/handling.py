"""Handles turns of the inbox, and lets those come back that cannot go on now."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from agent.errors import StoreFailed, StoreUnavailable, WarehouseBusy
from agent.values.turn import Turn
from bot.driver import RunStop
from bot.turns import TurnRunner
from bot.waiting.coming_back import comes_back
from bot.waiting.notices import SHOW_WITHIN_SECONDS, QueueNotices
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import DomainName

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTurns:
    """Between the inbox and the runner of one process."""

    runner: TurnRunner
    notices: QueueNotices
    may_ask: Callable[[DomainName, Turn], bool]

    async def handle(self, turn: Turn) -> RunStop | None:
        """Handle the turn; see `TurnRunner`. Raises its errors, for the inbox to repeat the turn."""
        was_told = await self.notices.begin(turn)
        try:
            if was_told:
                await self._unless_full(turn)
            with comes_back(turn):
                stop = await self.runner.handle(turn)
        except WarehouseBusy as busy:
            await self.notices.put_off(turn, busy.domain)
            raise
        if was_told:
            await self._end(turn)
        return stop

    async def _unless_full(self, turn: Turn) -> None:
        """A turn that would only be put off again is not worked on as far as that. Raises `WarehouseBusy`."""
        domain = await self.notices.waits_for(turn)
        if domain is not None and not self.may_ask(domain, turn):
            raise WarehouseBusy("every place is taken", domain=domain)

    async def _end(self, turn: Turn) -> None:
        """What was done is done, whether or not its notice can be tidied up."""
        try:
            async with asyncio.timeout(SHOW_WITHIN_SECONDS):
                await self.notices.end(turn)
        except TimeoutError:
            log.warning("queue_notice_left", code="no_answer_in_time")
        except (StoreUnavailable, StoreFailed, DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("queue_notice_left", code=error.code, detail=error.detail)
