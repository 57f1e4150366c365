"""A cache that can be cut off."""

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import pytest
from redis.asyncio import Redis

from adapters.control.redis.connections import create_client
from tests.fakes.relay import Relay, open_relay


@pytest.fixture
async def relay(valkey_url: str) -> AsyncIterator[Relay]:
    async with open_relay(urlsplit(valkey_url).path) as relay:
        yield relay


@pytest.fixture
async def client(valkey_url: str, relay: Relay) -> AsyncIterator[Redis]:
    number = parse_qs(urlsplit(valkey_url).query)["db"][0]
    client = create_client(f"redis://127.0.0.1:{relay.port}/{number}", patience=0.5)
    yield client
    await client.aclose()
