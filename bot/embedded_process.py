"""The processes of the embedded servers: whether they live, waiting for them, and stopping them."""

import os
import signal
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from semantic_catalog.errors import OperatorError

_PATIENCE_SECONDS = 60.0
_SOCKET_PATH_LIMIT = 100


class EmbeddedServiceError(OperatorError):
    """An embedded server could not be started or stopped; `detail` names it and its log file."""

    code = "embedded_service"


def live_pid(pid_file: Path, name: str) -> int | None:
    """The running server's process id; None for a leftover file, even when another program has its number now."""
    import psutil  # type: ignore[import-untyped]

    try:
        pid = int(pid_file.read_text(encoding="utf-8").splitlines()[0])
        process = psutil.Process(pid)
        alive = process.name() == name and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return pid if alive else None


def running_server(pid_file: Path, name: str, answering: Callable[[], str | None]) -> str | None:
    """What a server answers that runs or is about to; None where there is none, or it is just dying.

    Raises EmbeddedServiceError for a server that lives and does not answer.
    """
    complaint = f"{name} lives but does not answer, see the logs in {pid_file.parent}"
    return wait_for(lambda: answering() or (None if live_pid(pid_file, name) else ""), complaint) or None


def has_process_in(folder: Path, name: str) -> bool:
    """Whether a live process of that name works in the folder."""
    import psutil

    for process in psutil.process_iter(("name", "cwd", "status")):
        facts = process.info
        if facts["name"] == name and facts["cwd"] == str(folder) and facts["status"] != psutil.STATUS_ZOMBIE:
            return True
    return False


def stop_process(pid_file: Path, name: str, how: signal.Signals) -> None:
    """Ask the server to stop and wait until it is gone. Raises EmbeddedServiceError."""
    pid = live_pid(pid_file, name)
    if pid is None:
        return
    os.kill(pid, how)
    wait_for(lambda: None if live_pid(pid_file, name) else name, f"{name} does not stop")


def wait_for(attempt: Callable[[], str | None], complaint: str) -> str:
    """The first answer that is not None. Raises EmbeddedServiceError with the complaint after a minute."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if (answer := attempt()) is not None:
            return answer
        time.sleep(0.05)
    raise EmbeddedServiceError(complaint)


def socket_path(data: Path, name: str) -> Path:
    """Where the server of this data folder puts its unix socket.

    The kernel limits a socket's path to about a hundred bytes; a deep folder gets a short path elsewhere.
    """
    near = data / name
    if len(os.fsencode(near)) <= _SOCKET_PATH_LIMIT:
        return near
    away = Path(tempfile.gettempdir()) / f"countersign-{sha256(os.fsencode(data)).hexdigest()[:12]}"
    away.mkdir(mode=0o700, exist_ok=True)
    return away / name
