"""A migrated control database behind a relay that a test can shut."""

from collections.abc import AsyncIterator

import pytest
from psycopg.conninfo import make_conninfo

from adapters.control.postgres.connections import Pool, create_pool
from adapters.control.postgres.migrate import migrate
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay


@pytest.fixture
async def control_url(fresh_database: str) -> str:
    await migrate(fresh_database)
    return fresh_database


@pytest.fixture
async def relay(control_url: str) -> AsyncIterator[Relay]:
    async with open_relay(socket_of(control_url)) as relay:
        yield relay


@pytest.fixture
def relayed_url(control_url: str, relay: Relay) -> str:
    return make_conninfo(control_url, host="127.0.0.1", port=relay.port)


@pytest.fixture
async def pool(relayed_url: str) -> AsyncIterator[Pool]:
    pool = create_pool(relayed_url, patience=1)
    yield pool
    await pool.close()
