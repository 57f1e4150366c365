import asyncio
from collections.abc import AsyncIterator
from datetime import datetime

import pytest

from bot.inbox import Inbox


@pytest.fixture
async def two_workers(fresh_database: str) -> AsyncIterator[tuple[Inbox, Inbox]]:
    first, second = Inbox(fresh_database), Inbox(fresh_database)
    await first.open()
    await second.open()
    yield first, second
    await first.close()
    await second.close()


async def _nothing(*_: object) -> bool:
    return True


async def test_a_timely_job_is_done_once_each_time_whoever_does_it(two_workers: tuple[Inbox, Inbox]) -> None:
    done: list[datetime] = []
    enough = asyncio.Event()

    async def job(at: datetime) -> None:
        done.append(at)
        if len(done) >= 3:
            enough.set()

    for inbox in two_workers:
        inbox.repeat("tick", "* * * * * */1", job)
    workers = [asyncio.create_task(inbox.work(_nothing, _nothing, concurrency=1)) for inbox in two_workers]
    await enough.wait()
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    assert len(done) == len(set(done))
    assert done == sorted(done)
