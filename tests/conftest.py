"""Fixtures every test may ask for: real PostgreSQL, real Valkey, the demo warehouse, and no other machine."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from bot.demo.state import DomainData
from bot.embedded import EmbeddedServices
from tests import network
from tests.control_databases import ControlDatabases
from tests.services import (
    demo_data,
    empty_valkey,
    erp_finance_in_postgres,
    own_database,
    own_valkey_number,
    shared_services,
)

# The same examples on every run: a fault found is found again, and a green suite stays green.
settings.register_profile("suite", derandomize=True, database=None)
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def _guarded() -> None:
    network.watch()


@pytest.fixture(autouse=True)
def _no_outside_connection(_guarded: None) -> Iterator[None]:
    network.attempts().clear()
    yield
    assert network.attempts() == [], "the test reached for another machine"


@pytest.fixture(scope="session")
def services() -> Iterator[EmbeddedServices]:
    with shared_services() as running:
        yield running


@pytest.fixture(scope="session")
def _control_databases(services: EmbeddedServices) -> Iterator[ControlDatabases]:
    databases = ControlDatabases(services)
    yield databases
    databases.close()


@pytest.fixture
def fresh_database(services: EmbeddedServices, _control_databases: ControlDatabases) -> Iterator[str]:
    """A control database as this version makes it at its first start, without a row."""
    name = _control_databases.take()
    yield services.database_url(name)
    _control_databases.give_back(name)


@pytest.fixture
def empty_database(services: EmbeddedServices) -> Iterator[str]:
    """A database without a table."""
    with own_database(services) as url:
        yield url


@pytest.fixture(scope="session")
def _valkey_number() -> Iterator[int]:
    with own_valkey_number() as number:
        yield number


@pytest.fixture
def valkey_url(services: EmbeddedServices, _valkey_number: int) -> Iterator[str]:
    url = services.valkey.replace("db=0", f"db={_valkey_number}")
    empty_valkey(url)
    yield url
    empty_valkey(url)


@pytest.fixture(scope="session")
def payments(services: EmbeddedServices) -> DomainData:
    """The payments warehouse with seed 7, up to 2026-10-31, at scale 1. Never write to it."""
    return demo_data().domain("payments")


@pytest.fixture(scope="session")
def scrap_prices(services: EmbeddedServices) -> DomainData:
    """The scrap prices warehouse with seed 7, up to 2026-10-31. Never write to it."""
    return demo_data().domain("scrap_prices")


@pytest.fixture(scope="session")
def erp_finance(services: EmbeddedServices) -> DomainData:
    """The ERP's books with seed 7, up to 2026-10-31: in MariaDB where the machine has it. Never write to it."""
    return demo_data().domain("erp_finance")


@pytest.fixture(scope="session")
def erp_finance_postgres(services: EmbeddedServices) -> Iterator[DomainData]:
    """The same books in PostgreSQL. Never write to it."""
    demo_data()
    with erp_finance_in_postgres(services) as data:
        yield data
