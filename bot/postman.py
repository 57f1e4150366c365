"""Delivers what waits: beside the turns, so that a platform that is away holds no worker up."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Final

import structlog

from agent.values.identity import ChannelName
from agent.values.outcome import Clarification, Proposal
from bot.delivery import slot_of
from bot.failures import TRIED_AGAIN, outcome_of
from bot.files.desk import ThreadFiles
from bot.files.scope import in_scope
from bot.letters import KEPT_FOR, Letter, QueuedLetter
from bot.run_desk import RunDesk, place_of
from cards.errors import DeliveryUnavailable
from semantic_catalog.errors import CountersignError, OperatorError

HOLD_SECONDS: Final = 90.0
"""A process that claimed a letter and says nothing more for so long is dead: another one takes the letter."""

DELIVER_WITHIN_SECONDS: Final = 75.0
ROUND_SECONDS: Final = 5.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Postman:
    """Takes letters around: each platform by itself, each thread in its order."""

    desk: RunDesk
    files: ThreadFiles

    async def round(self, channel: ChannelName) -> None:
        """Deliver the platform's letters that are due, for some seconds. Raises `StoreUnavailable`."""
        until = monotonic() + ROUND_SECONDS
        while monotonic() < until and (queued := await self.desk.letters.claim(channel, HOLD_SECONDS)):
            with structlog.contextvars.bound_contextvars(run=queued.letter.outcome.run, channel=channel):
                await self._try(queued)

    async def _try(self, queued: QueuedLetter) -> None:
        letters = self.desk.letters
        try:
            async with asyncio.timeout(DELIVER_WITHIN_SECONDS):
                await self._deliver(queued.letter)
        except TimeoutError:
            await self._later(queued, DeliveryUnavailable("no answer in time"))
        except DeliveryUnavailable as error:
            await self._later(queued, error)
        except TRIED_AGAIN as error:
            await self._later(queued, DeliveryUnavailable(error.code))
        except CountersignError as error:
            await self._say_why(queued, error)
        else:
            await letters.done(queued)

    async def _deliver(self, letter: Letter) -> None:
        if letter.asker is None:
            await self._hand_over(letter)
            return
        with in_scope(await self.files.scope(letter.turn.thread, letter.asker)):
            await self._hand_over(letter)

    async def _hand_over(self, letter: Letter) -> None:
        outcome = letter.outcome
        if letter.decision is not None:
            await self.desk.close_card_now(letter)
        elif isinstance(outcome, Proposal | Clarification) and not await self.desk.still_waits(outcome):
            await self.desk.close_unseen(letter.turn, outcome)
        else:
            await self.desk.deliver_now(letter)
            if isinstance(outcome, Proposal):
                await self.desk.signers.ask(outcome, place_of(letter.turn), slot_of(outcome))

    async def _later(self, queued: QueuedLetter, error: DeliveryUnavailable) -> None:
        if datetime.now(UTC) - queued.queued_at < KEPT_FOR:
            await self.desk.letters.later(queued, error)
            return
        log.warning("letter_given_up", detail=error.detail)
        await self.desk.letters.give_up(queued, error.detail)

    async def _say_why(self, queued: QueuedLetter, error: CountersignError) -> None:
        """What cannot be delivered as it is: a failure with a reference in its place, if that is taken."""
        outcome = queued.letter.outcome
        failure = outcome_of(error, outcome.run, outcome.locale, self.desk.deps.clock.now())
        try:
            await self.desk.deliver_now(Letter(turn=queued.letter.turn, outcome=failure, asker=queued.letter.asker))
        except DeliveryUnavailable as again:
            await self._later(queued, again)
        except CountersignError as again:
            fault = again.detail if isinstance(again, OperatorError) else again.code
            log.warning("letter_given_up", detail=fault)
            await self.desk.letters.give_up(queued, fault)
        else:
            await self.desk.letters.done(queued)
