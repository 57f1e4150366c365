"""A shop in MariaDB; where the machine has no server, there are no tests here."""

from collections.abc import AsyncIterator

import pytest

from bot.embedded import EmbeddedServices
from tests.contract.shop_mysql import HAS_SERVER, MariaShop, maria_shop
from tests.fakes.relay import Relay, open_relay

collect_ignore_glob = [] if HAS_SERVER else ["test_*.py"]


@pytest.fixture
async def shop(services: EmbeddedServices) -> AsyncIterator[MariaShop]:
    async with maria_shop() as made:
        yield made


@pytest.fixture
async def relay(shop: MariaShop) -> AsyncIterator[Relay]:
    async with open_relay(shop.socket) as relay:
        yield relay
