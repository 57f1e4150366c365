"""Sends tried again: the SDK repeats none of them."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from random import SystemRandom
from time import perf_counter
from typing import Final, TypeVar

from msrest.exceptions import ClientException

from adapters.channels.calls import Seen, unseen
from adapters.channels.teams.config import Patience
from adapters.channels.teams.errors import TRANSIENT, UNDONE, delivery_error, retry_after, status_of

POST: Final = "post"

Answer = TypeVar("Answer")


async def with_retries(
    method: str, send: Callable[[], Awaitable[Answer]], patience: Patience, seen: Seen = unseen
) -> Answer:
    """The answer of `send`, tried again while Teams asks to wait; each try is told to `seen`.

    What asks for a longer wait than `patience` has is not waited for here: a worker has other things to do.

    Raises `DeliveryUnavailable` or `DeliveryRefused`, which name `method`. The SDK's own error is left out: it may
    hold what was sent.
    """
    for attempt in count(1):
        started = perf_counter()
        try:
            answer = await send()
        except ClientException as error:
            seen(method, status_of(error), perf_counter() - started)
            asked = retry_after(error)
            if not _may_repeat(method, status_of(error)) or attempt >= patience.attempts:
                raise delivery_error(method, error) from None
            if asked is not None and asked > patience.longest_pause:
                raise delivery_error(method, error) from None
            pause = pause_before(attempt, asked, patience)
        else:
            seen(method, 200, perf_counter() - started)
            return answer
        await asyncio.sleep(pause)
    raise AssertionError("the attempts do not end")


def _may_repeat(method: str, status: int) -> bool:
    """A message that may have arrived is not posted again here: whoever posts it knows whether it may stand twice."""
    return status in (UNDONE if method == POST else TRANSIENT)


def pause_before(attempt: int, asked: float | None, patience: Patience) -> float:
    """Seconds to wait after the attempt (the first is 1): what Teams asked for, else doubling; with jitter on top."""
    backoff = patience.first_pause * 2 ** (attempt - 1)
    pause = backoff if asked is None else asked
    return min(pause, patience.longest_pause) + SystemRandom().uniform(0, patience.first_pause)
