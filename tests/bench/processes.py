"""Processes beside the bench: started, watched until they work, stopped, and what they cost meanwhile."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import ClientError, ClientSession

PYTHON = (sys.executable, "-m")
COUNTERSIGN = (str(Path(sys.executable).with_name("countersign")),)
Process = asyncio.subprocess.Process
ROOT = Path(__file__).resolve().parents[2]
LOOK_EVERY_SECONDS = 0.05
KILOBYTE = 1024


@asynccontextmanager
async def child(
    folder: Path, name: str, command: tuple[str, ...], settings: Mapping[str, str] | None = None
) -> AsyncIterator[Process]:
    """The command while inside, with these settings and no others.

    It writes to `<name>.log` in the folder, which must be there.
    """
    told = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}  # noqa: TID251  # for a child process
    with (folder / f"{name}.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, env={**told, **(settings or {})}, cwd=folder, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def until_it_answers(process: Process, url: str) -> None:
    """The process takes connections there."""
    async with ClientSession() as http:
        while not await _answers(http, url):
            await _still(process)


async def until_it_says(process: Process, log: Path, words: bytes) -> None:
    """The process wrote so."""
    while words not in await asyncio.to_thread(log.read_bytes):
        await _still(process)


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """What the process has computed since its start, in seconds; 0 for one that is gone."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return 0.0
    fields = told.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Memory of the process that is resident now."""
    return _status(pid, "VmRSS")


def most_megabytes(pid: int) -> float:
    """The most memory of the process that was ever resident."""
    return _status(pid, "VmHWM")


def _status(pid: int, field: str) -> float:
    lines: Iterator[str] = iter(Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines())
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:")) / KILOBYTE


async def _answers(http: ClientSession, url: str) -> bool:
    try:
        async with http.get(url):
            return True
    except ClientError:
        return False


async def _still(process: Process) -> None:
    assert process.returncode is None, "a process of the bench ended by itself: see its log"
    await asyncio.sleep(LOOK_EVERY_SECONDS)
