"""What works on a control database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from adapters.control.postgres.connections import Pool, create_pool
from bot.inbox import Inbox


@pytest.fixture
async def pool(fresh_database: str) -> AsyncIterator[Pool]:
    pool = create_pool(fresh_database)
    yield pool
    await pool.close()


@pytest.fixture
async def inbox(fresh_database: str) -> AsyncIterator[Inbox]:
    inbox = Inbox(fresh_database)
    await inbox.open()
    yield inbox
    await inbox.close()
