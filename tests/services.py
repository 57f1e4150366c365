"""The real servers that tests run against, shared by every test process of this checkout."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO
from uuid import uuid4

import psycopg
import redis
from psycopg import sql

from bot import embedded
from bot.demo.databases import READER, admit_reader, ensure_database
from bot.demo.erp_finance.load import load_postgres
from bot.demo.parameters import DemoParameters
from bot.demo.setup import set_up
from bot.demo.state import DemoState, DomainData
from bot.embedded import EmbeddedServices
from tests.control_databases import PREFIX, drop_database

END_DATE = date(2026, 10, 31)
FOLDER = Path(__file__).resolve().parent.parent / ".countersign" / "test"


@contextmanager
def shared_services() -> Iterator[EmbeddedServices]:
    """Start the servers, or join those of another test process; whoever leaves last stops them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "users.lock").open("a") as users:
        alone = _try_exclusive(users)
        if not alone:
            fcntl.flock(users, fcntl.LOCK_SH)
        services = embedded.start(FOLDER)
        if alone:
            _need_not_outlive_the_machine(services)
            _drop_leftover_databases(services)
            fcntl.flock(users, fcntl.LOCK_SH)
        yield services
        if _try_exclusive(users):
            embedded.stop(FOLDER)


@contextmanager
def own_database(services: EmbeddedServices) -> Iterator[str]:
    """An empty database for one test; yields the superuser's URL."""
    name = f"test_{uuid4().hex}"
    ensure_database(services, name, "postgres")
    yield services.database_url(name)
    drop_database(services, name)


@contextmanager
def own_valkey_number() -> Iterator[int]:
    """A database number of the shared Valkey that no other test process uses."""
    for number in range(1, embedded.VALKEY_DATABASES):
        with (FOLDER / f"valkey-{number}.lock").open("a") as file:
            if _try_exclusive(file):
                yield number
                return
    raise AssertionError("more test processes at once than Valkey has databases")


def empty_valkey(url: str) -> None:
    """Forget everything in one Valkey database."""
    with redis.Redis.from_url(url) as client:
        client.flushdb()


def demo_data() -> DemoState:
    """The demo data of the tests, loaded once and kept between runs. Tests only read it."""
    return set_up(FOLDER, DemoParameters(end_date=END_DATE))


@contextmanager
def erp_finance_in_postgres(services: EmbeddedServices) -> Iterator[DomainData]:
    """The demo's books in a PostgreSQL database of their own, whatever other engine the machine has."""
    with own_database(services) as owner_url:
        database = owner_url.rpartition("@/")[2].partition("?")[0]
        admit_reader(services, database, "public")
        load_postgres(owner_url, DemoParameters(end_date=END_DATE))
        reader_url = services.database_url(database, READER)
        yield DomainData(name="erp_finance", reader_url=reader_url, owner_url=owner_url)


def _need_not_outlive_the_machine(services: EmbeddedServices) -> None:
    """Waiting for the disk is most of the time of a test; what a killed server leaves is whole all the same."""
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")


def _drop_leftover_databases(services: EmbeddedServices) -> None:
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        connection.execute("UPDATE pg_database SET datistemplate = false WHERE starts_with(datname, %s)", (PREFIX,))
        left = "SELECT datname FROM pg_database WHERE starts_with(datname, 'test_') OR starts_with(datname, %s)"
        rows = connection.execute(left, (PREFIX,)).fetchall()
        for (name,) in rows:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _try_exclusive(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
