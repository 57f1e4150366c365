"""The job worker: turns from the inbox, and what has to happen on time."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial

import structlog
from procrastinate.exceptions import ConnectorException

from agent.errors import StoreFailed, StoreUnavailable
from agent.repeating import repeated
from bot.bootstrap import Product
from bot.leases import RENEW_EVERY_SECONDS, Leases
from bot.retention import ExportFailed
from bot.schedules.firing import LOOK_AT as SCHEDULES_AT
from bot.waiting.handling import QueuedTurns
from bot.waiting.places import TURNS_AT_ONCE
from cards.errors import DeliveryRefused, DeliveryUnavailable

CONCURRENCY = TURNS_AT_ONCE

ROUNDS_EVERY_SECONDS = 30.0
LETTERS_EVERY_SECONDS = 2.0
GUARDS_EVERY_SECONDS = 2.0
QUEUE_EVERY_SECONDS = 1.0
RESTART_AFTER_SECONDS = 2.0
CLEAN_UP_AT = "7,37 * * * *"
AUDIT_CHECK_AT = "17 3 * * *"

log = structlog.get_logger()


async def work(built: Product, *, until_empty: bool = False) -> None:
    """Handle turns until cancelled; a database that goes away is waited for. Rounds run beside it.

    The clean-up is done once in each of its times, by whichever worker comes first.
    """
    built.inbox.repeat("schedules", SCHEDULES_AT, lambda _: _logged(built.firing.fire))
    built.inbox.repeat("clean_up", CLEAN_UP_AT, lambda _: _logged(built.retention.clean_up))
    built.inbox.repeat("audit_check", AUDIT_CHECK_AT, lambda _: _logged(partial(check_audit, built)))
    leases = Leases(built.stores.events)
    async with AsyncExitStack() as beside:
        await beside.enter_async_context(repeated(partial(_round, built), ROUNDS_EVERY_SECONDS))
        await beside.enter_async_context(repeated(leases.renew, RENEW_EVERY_SECONDS))
        await beside.enter_async_context(_telling(built))
        recovered = partial(_logged, partial(built.guards.round, built.stores.queued.hurry))
        await beside.enter_async_context(repeated(recovered, GUARDS_EVERY_SECONDS))
        for channel in built.postman.desk.channels:
            # Each platform by itself: one that hangs keeps no letter of another waiting.
            letters = partial(_logged, partial(built.postman.round, channel))
            await beside.enter_async_context(repeated(letters, LETTERS_EVERY_SECONDS))
        await _handle_turns(built, leases, until_empty)


async def tell(built: Product) -> None:
    """Tell threads of turns that wait, until cancelled: for a process that handles none, and may be the only one."""
    async with _telling(built):
        await asyncio.Event().wait()


def _telling(built: Product) -> AbstractAsyncContextManager[None]:
    return repeated(partial(_logged, built.queue.round), QUEUE_EVERY_SECONDS)


async def _handle_turns(built: Product, leases: Leases, until_empty: bool) -> None:
    handle = QueuedTurns(runner=built.runner, notices=built.queue, may_ask=built.guards.may_ask).handle
    while True:
        try:
            await built.inbox.work(handle, leases, concurrency=CONCURRENCY, until_empty=until_empty)
            if until_empty:
                return
            # It ends by itself when the database cut it off, with or without an error of its own.
            log.warning("inbox_lost")
        except ConnectorException as error:
            log.warning("inbox_unreachable", error=type(error).__name__)
        await asyncio.sleep(RESTART_AFTER_SECONDS)


async def _round(built: Product) -> None:
    await _logged(partial(expire_proposals, built))
    await _logged(partial(built.files.cache.sweep, built.clock.now()))


async def _logged(job: Callable[[], Awaitable[object]]) -> None:
    try:
        await job()
    except (StoreUnavailable, StoreFailed, DeliveryUnavailable, DeliveryRefused, ExportFailed) as error:
        log.warning("round_skipped", code=error.code, detail=error.detail)


async def check_audit(built: Product) -> None:
    """Verify the audit log; what is wrong with it is told by every process's metrics until it is verified again."""
    broken = await built.stores.audit.check()
    if broken is None:
        log.info("audit_verified")
    else:
        log.error("audit_broken", entry=broken)


async def expire_proposals(built: Product) -> None:
    """Close every proposal past its time; its card says so."""
    now = built.clock.now()
    for record in await built.stores.runs.expired(now):
        await built.deciding.expire(record, now)
