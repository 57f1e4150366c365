"""A migrated control database and the clock the stores are given."""

from collections.abc import AsyncIterator

import pytest

from adapters.control.postgres.connections import Pool, create_pool
from adapters.control.postgres.migrate import migrate
from tests.fakes.clock import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
async def control(fresh_database: str) -> AsyncIterator[Pool]:
    await migrate(fresh_database)
    pool = create_pool(fresh_database, patience=5)
    yield pool
    await pool.close()
