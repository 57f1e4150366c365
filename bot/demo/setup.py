"""Brings the demo up: services, databases, roles and data."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import psycopg
import structlog

from bot import embedded
from bot.demo import mariadb
from bot.demo.databases import READER, admit_reader, ensure_database, ensure_roles
from bot.demo.erp_finance.load import load_mysql as load_erp_finance_mysql
from bot.demo.erp_finance.load import load_postgres as load_erp_finance
from bot.demo.errors import DemoLoadFailed as DemoLoadFailed
from bot.demo.parameters import DemoParameters
from bot.demo.payments.load import load as load_payments
from bot.demo.scrap_prices.load import load as load_scrap_prices
from bot.demo.state import DemoState, DomainData, forget_state, read_state, write_state
from bot.embedded import EmbeddedMariaDb, EmbeddedServiceError, EmbeddedServices

CONTROL = "control"
CONTROL_OWNER = "control_owner"

_SHARED_SOURCES = ("databases.py", "draws.py", "mariadb.py", "parameters.py", "tables.py")

log = structlog.get_logger()

Load = Callable[[str, DemoParameters], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDomain:
    """A domain of the demo; its database has its name and `schema` is where the reader's plain names lead.

    `load` replaces the data, given the owner's URL. A domain with `load_mysql` lives in MariaDB where there is one.
    """

    name: str
    schema: str
    load: Load
    load_mysql: Load | None = None

    @property
    def owner(self) -> str:
        """The role that owns the data."""
        return f"{self.name}_owner"


DOMAINS = (
    DemoDomain(name="payments", schema="semantic", load=load_payments),
    DemoDomain(name="erp_finance", schema="public", load=load_erp_finance, load_mysql=load_erp_finance_mysql),
    DemoDomain(name="scrap_prices", schema="mart", load=load_scrap_prices),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """What the demo runs on; without MariaDB everything lives in PostgreSQL."""

    services: EmbeddedServices
    mariadb: EmbeddedMariaDb | None

    def data_of(self, domain: DemoDomain) -> DomainData:
        """Where the domain's data is, or will be."""
        in_mariadb = self.mariadb is not None and domain.load_mysql is not None
        place = self.mariadb if self.mariadb is not None and in_mariadb else self.services
        return DomainData(
            name=domain.name,
            reader_url=place.database_url(domain.name, READER),
            owner_url=place.database_url(domain.name, domain.owner),
            dialect="mysql" if in_mariadb else "postgres",
        )


def set_up(folder: Path, parameters: DemoParameters) -> DemoState:
    """Start the services and load what is not loaded yet. Safe to repeat, also by several processes at once.

    Data is loaded again only when the parameters or the generator changed. Blocks.
    Raises EmbeddedServiceError and DemoLoadFailed.
    """
    servers = Servers(services=embedded.start(folder), mariadb=_mariadb(folder))
    with embedded.locked(folder / "demo.lock"):
        wanted = _wanted_state(servers, parameters)
        if read_state(folder) != wanted:
            forget_state(folder)
            try:
                _load_all(servers, parameters)
            except psycopg.Error as error:
                raise DemoLoadFailed(f"loading the demo data: {type(error).__name__} {error.sqlstate}") from error
            write_state(folder, wanted)
        return wanted


def _mariadb(folder: Path) -> EmbeddedMariaDb | None:
    """The demo works without MariaDB, so one that does not start is reported and left alone."""
    try:
        return embedded.start_mariadb(folder)
    except EmbeddedServiceError as error:
        log.warning("mariadb_left_out", code=error.code, detail=error.detail)
        return None


def _wanted_state(servers: Servers, parameters: DemoParameters) -> DemoState:
    return DemoState(
        control_url=servers.services.database_url(CONTROL, CONTROL_OWNER),
        cache_url=servers.services.valkey,
        domains=tuple(servers.data_of(domain) for domain in DOMAINS),
        parameters=parameters,
        generator=_generator_version(),
    )


def _load_all(servers: Servers, parameters: DemoParameters) -> None:
    services = servers.services
    ensure_roles(services, (CONTROL_OWNER, *(domain.owner for domain in DOMAINS)))
    ensure_database(services, CONTROL, CONTROL_OWNER)
    for domain in DOMAINS:
        data = servers.data_of(domain)
        if servers.mariadb is not None and domain.load_mysql is not None:
            mariadb.prepare(servers.mariadb.root, domain.name, domain.owner, READER)
            domain.load_mysql(data.owner_url, parameters)
        else:
            ensure_database(services, domain.name, domain.owner)
            admit_reader(services, domain.name, domain.schema)
            domain.load(data.owner_url, parameters)


def _generator_version() -> str:
    """Changes with any file that makes the data."""
    demo = files("bot.demo")
    sources = [demo.joinpath(name) for name in _SHARED_SOURCES]
    for domain in DOMAINS:
        sources += [item for item in demo.joinpath(domain.name).iterdir() if item.name.endswith((".py", ".sql"))]
    digest = sha256()
    for source in sorted(sources, key=str):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
