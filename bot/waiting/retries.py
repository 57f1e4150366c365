"""When a turn of the inbox comes back that could not be handled now."""

import asyncio
from typing import Final

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.jobs import Job

from agent.errors import WarehouseBusy, WarehouseResting, WarehouseUnavailable
from bot.failures import TRIED_AGAIN
from bot.leases import TurnHeld
from bot.waiting.places import COMES_BACK_SECONDS

FIRST_RETRY_SECONDS: Final = 5
LONGEST_RETRY_SECONDS: Final = 300
HELD_RETRY_SECONDS: Final = 5


class KeepTrying(BaseRetryStrategy):
    """Turns whose dependency was away come back, ever more slowly, and no longer hold their thread.

    One that found no place comes back soon and holds its thread: what was asked after it stays behind it.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Again after 5, 10, 20 … 300 seconds for errors that pass; at once for what a stop cut short; else never."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        if isinstance(exception, TurnHeld):
            return RetryDecision(retry_in={"seconds": HELD_RETRY_SECONDS})
        if isinstance(exception, WarehouseBusy):
            return RetryDecision(retry_in={"milliseconds": round(COMES_BACK_SECONDS * 1000)})
        if not isinstance(exception, TRIED_AGAIN):
            return None
        return RetryDecision(retry_in={"seconds": _pause(exception, job)}, lock=f"{_lock(exception)}{job.id}")


def lock_while_away(domain: str) -> str:
    """How the locks of turns begin that wait for the domain's warehouse to answer again."""
    return f"again:{domain}:"


def _lock(error: BaseException) -> str:
    domain = error.domain if isinstance(error, WarehouseUnavailable) else ""
    return lock_while_away(domain) if domain else "again:"


def _pause(error: BaseException, job: Job) -> int:
    growing = min(FIRST_RETRY_SECONDS << min(job.attempts, 10), LONGEST_RETRY_SECONDS)
    return max(growing, round(error.rests_for)) if isinstance(error, WarehouseResting) else growing
