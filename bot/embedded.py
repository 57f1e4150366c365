"""A real PostgreSQL and a real Valkey of our own, run from Python wheels and kept in a data folder.

Where the machine has a MariaDB server, that can be run there too. The servers listen on unix sockets only, outlive the
process that started them and are shared by every process that names the same folder. Needs the `demo` extra.
"""

import fcntl
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from bot.embedded_mariadb import PROCESS as MARIADB
from bot.embedded_mariadb import answering_mariadb, mariadb_server
from bot.embedded_mariadb import start_mariadb as start_mariadb_in
from bot.embedded_postgres import answering_postgres, start_postgres
from bot.embedded_process import EmbeddedServiceError as EmbeddedServiceError
from bot.embedded_process import stop_process
from bot.embedded_valkey import VALKEY_DATABASES as VALKEY_DATABASES
from bot.embedded_valkey import answering_valkey, start_valkey

DEFAULT_FOLDER = Path(".countersign")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedServices:
    """The running servers. `postgres` is the superuser's URL of the database `postgres`; `valkey` is database 0."""

    postgres: str
    valkey: str

    def database_url(self, database: str, user: str = "postgres") -> str:
        """The URL of another database of the same server, as another role."""
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?{self.postgres.partition('?')[2]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedMariaDb:
    """The running MariaDB. `root` is its superuser's URL: `mysql://user@/database?unix_socket=path`."""

    root: str

    def database_url(self, database: str, user: str) -> str:
        """The URL of a database, as an account of it."""
        return f"mysql://{quote(user, safe='')}@/{quote(database, safe='')}?{self.root.partition('?')[2]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedStatus:
    """What answers at this moment: the URLs as in `EmbeddedServices`, None for a server that does not answer."""

    postgres: str | None
    valkey: str | None
    mariadb: str | None = None


def start(folder: Path = DEFAULT_FOLDER) -> EmbeddedServices:
    """Start what does not run yet and wait until both answer. Safe to call from several processes at once.

    Blocks: call it outside the event loop. Raises EmbeddedServiceError.
    """
    home = _home(folder)
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / "embedded.lock"):
        return EmbeddedServices(postgres=start_postgres(home / "postgres"), valkey=start_valkey(home / "valkey"))


def start_mariadb(folder: Path = DEFAULT_FOLDER) -> EmbeddedMariaDb | None:
    """Start MariaDB too, as `start`; None where the machine has no such server, or we no driver for it.

    Blocks. Raises EmbeddedServiceError.
    """
    if mariadb_server() is None:
        return None
    home = _home(folder)
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / "embedded.lock"):
        return EmbeddedMariaDb(root=start_mariadb_in(home / "mariadb"))


def status(folder: Path = DEFAULT_FOLDER) -> EmbeddedStatus:
    """Ask the servers whether they answer. Starts nothing."""
    home = _home(folder)
    return EmbeddedStatus(
        postgres=answering_postgres(home / "postgres"),
        valkey=answering_valkey(home / "valkey"),
        mariadb=answering_mariadb(home / "mariadb"),
    )


def stop(folder: Path = DEFAULT_FOLDER) -> None:
    """Stop the servers and wait until they are gone; data stays. Nothing happens where none runs.

    Raises EmbeddedServiceError when a server does not stop.
    """
    home = _home(folder)
    if not home.exists():
        return
    with locked(home / "embedded.lock"):
        stop_process(home / "postgres" / "postmaster.pid", "postgres", signal.SIGINT)
        stop_process(home / "valkey" / "valkey.pid", "valkey-server", signal.SIGTERM)
        stop_process(home / "mariadb" / "mariadb.pid", MARIADB, signal.SIGTERM)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file's exclusive lock; other processes wait. A killed holder frees it."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _home(folder: Path) -> Path:
    return folder.expanduser().resolve()
