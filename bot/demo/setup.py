"""Brings the demo up: services, databases, roles and data."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import psycopg

from bot import embedded
from bot.demo.databases import READER, admit_reader, ensure_database, ensure_roles
from bot.demo.parameters import DemoParameters
from bot.demo.payments.load import load as load_payments
from bot.demo.state import DemoState, DomainData, forget_state, read_state, write_state
from bot.embedded import EmbeddedServices
from semantic_catalog.errors import OperatorError

CONTROL = "control"
CONTROL_OWNER = "control_owner"

_SHARED_SOURCES = ("databases.py", "draws.py", "parameters.py")


class DemoLoadFailed(OperatorError):
    """The embedded database refused the demo data; `detail` is its error class and code."""

    code = "demo_load_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDomain:
    """A domain of the demo; its database has its name. `load` replaces the data, given the owner's URL."""

    name: str
    load: Callable[[str, DemoParameters], None]

    @property
    def owner(self) -> str:
        """The role that owns the data."""
        return f"{self.name}_owner"


DOMAINS = (DemoDomain(name="payments", load=load_payments),)


def set_up(folder: Path, parameters: DemoParameters) -> DemoState:
    """Start the services and load what is not loaded yet. Safe to repeat, also by several processes at once.

    Data is loaded again only when the parameters or the generator changed. Blocks.
    Raises EmbeddedServiceError and DemoLoadFailed.
    """
    services = embedded.start(folder)
    with embedded.locked(folder / "demo.lock"):
        wanted = _wanted_state(services, parameters)
        if read_state(folder) != wanted:
            forget_state(folder)
            try:
                _load_all(services, parameters)
            except psycopg.Error as error:
                raise DemoLoadFailed(f"loading the demo data: {type(error).__name__} {error.sqlstate}") from error
            write_state(folder, wanted)
        return wanted


def _wanted_state(services: EmbeddedServices, parameters: DemoParameters) -> DemoState:
    return DemoState(
        control_url=services.database_url(CONTROL, CONTROL_OWNER),
        cache_url=services.valkey,
        domains=tuple(
            DomainData(
                name=domain.name,
                reader_url=services.database_url(domain.name, READER),
                owner_url=services.database_url(domain.name, domain.owner),
            )
            for domain in DOMAINS
        ),
        parameters=parameters,
        generator=_generator_version(),
    )


def _load_all(services: EmbeddedServices, parameters: DemoParameters) -> None:
    ensure_roles(services, (CONTROL_OWNER, *(domain.owner for domain in DOMAINS)))
    ensure_database(services, CONTROL, CONTROL_OWNER)
    for domain in DOMAINS:
        ensure_database(services, domain.name, domain.owner)
        admit_reader(services, domain.name)
        domain.load(services.database_url(domain.name, domain.owner), parameters)


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
