"""An embedded MariaDB on a unix socket, where the machine has the server `mariadbd` and we its driver."""

import os
import pwd
import shutil
import socket
import subprocess
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from bot.embedded_process import (
    EmbeddedServiceError,
    has_process_in,
    live_pid,
    running_server,
    socket_path,
    wait_for,
)

PROCESS = "mariadbd"

# Servers are often kept off the search path of ordinary users.
_SERVER_FOLDERS = "/usr/sbin:/usr/libexec:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin"
_PROTOCOL = 10

_SETTINGS = """\
[mariadbd]
datadir = {data}
socket = {socket}
pid-file = {pid_file}
log-error = {log}
skip-networking
character-set-server = utf8mb4
collation-server = utf8mb4_bin
default-time-zone = '+00:00'
innodb-buffer-pool-size = 64M
max-connections = 100
local-infile = OFF
secure-file-priv = {nowhere}
# The log must not repeat what clients did.
log-warnings = 1
"""


def mariadb_server(folders: str = _SERVER_FOLDERS) -> str | None:
    """The path of the server's program; None where the machine has none, or we cannot talk to it.

    It is looked for on the search path and in `folders`, which `:` parts.
    """
    if find_spec("asyncmy") is None:
        return None
    return _program(PROCESS, folders) if _program("mariadb-install-db", folders) else None


def start_mariadb(data: Path) -> str:
    """Start the server of this data folder unless it runs; the URL of its superuser. Raises EmbeddedServiceError."""
    pid_file = data / "mariadb.pid"
    if (url := running_server(pid_file, PROCESS, lambda: answering_mariadb(data))) is not None:
        return url
    complaint = f"the old server still writes to {data}"
    wait_for(lambda: None if has_process_in(data / "data", PROCESS) else "gone", complaint)
    try:
        pid_file.unlink(missing_ok=True)
        _configure(data)
        _install(data)
        return _launch(data)
    except (subprocess.CalledProcessError, OSError) as error:
        raise EmbeddedServiceError(f"MariaDB did not start, see {_log(data)}: {type(error).__name__}") from error


def answering_mariadb(data: Path) -> str | None:
    """The superuser's URL if the server answers."""
    try:
        written = _written_socket(data)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            client.connect(str(written))
            greeting = client.recv(5)
    except (OSError, ValueError):
        return None
    # Four bytes of packet header, then the version of the protocol; an error message has 255 there.
    return f"mysql://root@/?unix_socket={quote(str(written), safe='/')}" if greeting[4:] == bytes([_PROTOCOL]) else None


def _configure(data: Path) -> None:
    (data / "nowhere").mkdir(parents=True, exist_ok=True)
    settings = _SETTINGS.format(
        data=data / "data",
        socket=socket_path(data, "mariadb.sock"),
        pid_file=data / "mariadb.pid",
        log=_log(data),
        nowhere=data / "nowhere",
    )
    (data / "mariadb.cnf").write_text(settings + _user_setting(), encoding="utf-8")


def _user_setting() -> str:
    """The server refuses to run as root unless told to."""
    return f"user = {pwd.getpwuid(0).pw_name}\n" if os.geteuid() == 0 else ""


def _install(data: Path) -> None:
    """Make the system tables, in a folder of their own first, so that a broken attempt is not taken for a database."""
    if (data / "data").exists():
        return
    draft = data / "installing"
    shutil.rmtree(draft, ignore_errors=True)
    command = [
        _program("mariadb-install-db") or "mariadb-install-db",
        "--no-defaults",
        f"--datadir={draft}",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
        "--skip-name-resolve",
    ]
    if os.geteuid() == 0:
        command.append(f"--user={pwd.getpwuid(0).pw_name}")
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S603 — found by us
    draft.rename(data / "data")


def _launch(data: Path) -> str:
    """Leave the server running on its own: it outlives us and takes no signal of our terminal."""
    in_background = '"$0" "$@" </dev/null >/dev/null 2>&1 & echo $!'
    command = ["/bin/sh", "-c", in_background, mariadb_server() or PROCESS, f"--defaults-file={data / 'mariadb.cnf'}"]
    started = subprocess.run(  # noqa: S603 — found by us
        command, check=True, start_new_session=True, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    (data / "launched.pid").write_text(started.stdout, encoding="utf-8")
    complaint = f"MariaDB does not answer, see {_log(data)}"
    url = wait_for(lambda: answering_mariadb(data) or _given_up(data), complaint)
    if not url:
        raise EmbeddedServiceError(complaint)
    return url


def _given_up(data: Path) -> str | None:
    """Empty once the server has ended without ever having answered."""
    return None if live_pid(data / "launched.pid", PROCESS) or live_pid(data / "launched.pid", "sh") else ""


def _log(data: Path) -> Path:
    return data / "mariadb.log"


def _program(name: str, folders: str = _SERVER_FOLDERS) -> str | None:
    return shutil.which(name) or shutil.which(name, path=folders)


def _written_socket(data: Path) -> Path:
    """Raises ValueError where the settings name none."""
    lines = (data / "mariadb.cnf").read_text(encoding="utf-8").splitlines()
    written = next((line.partition("=")[2].strip() for line in lines if line.startswith("socket")), "")
    if not written:
        raise ValueError("no socket in the settings")
    return Path(written)
