"""This process among those that serve the same control database: who it is, and that it ends."""

import os
import socket
from importlib.metadata import version
from uuid import uuid4

import structlog

from adapters.control.postgres.processes import PostgresProcesses, Process
from agent.errors import StoreFailed, StoreUnavailable
from bot.connections import ProcessKind

_LONGEST_NAME = 63
"""PostgreSQL cuts an application_name there."""

log = structlog.get_logger()


def this_process(kind: ProcessKind, connections: int, host: str = "", pid: int = 0) -> Process:
    """Who this process is; each call is another one. `host` and `pid` are the machine's unless given."""
    own, host, pid = uuid4().hex, host or socket.gethostname(), pid or os.getpid()
    return Process(
        id=own,
        kind=kind,
        host=host,
        pid=pid,
        name=_name(kind, host, f":{pid}#{own[:4]}"),
        version=version("countersign"),
        connections=connections,
    )


def _name(kind: str, host: str, tail: str) -> str:
    """`countersign worker <host>:<pid>#<four of the id>`; of a long host its end, which tells pods apart."""
    head = f"countersign {kind} "
    return f"{head}{host[-(_LONGEST_NAME - len(head) - len(tail)) :]}{tail}"


def cache_name(process: Process) -> str:
    """What the cache lists its connections under: the same name, without spaces."""
    return process.name.replace(" ", ":")


async def left(store: PostgresProcesses, process: Process) -> None:
    """Say that the process ends. Without the database the others find out by themselves."""
    try:
        await store.leave(process)
    except (StoreUnavailable, StoreFailed) as error:
        log.warning("presence_not_taken_back", code=error.code, detail=error.detail)
