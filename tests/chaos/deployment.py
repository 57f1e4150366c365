"""Two `serve`, two `worker`, a PostgreSQL and a Valkey of their own: processes that can be killed and restarted."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from aiohttp import ClientError, ClientSession

from adapters.channels.teams.config import Endpoints
from bot.demo.databases import ensure_database
from bot.embedded import EmbeddedServices, start, stop
from bot.embedded_postgres import start_postgres
from bot.embedded_process import EmbeddedServiceError, stop_process
from bot.embedded_valkey import start_valkey
from tests.chaos.child import ENDPOINTS

ROOT = Path(__file__).resolve().parents[2]
WORKERS = ("worker-1", "worker-2")
SERVES = ("serve-1", "serve-2")
STARTS_TRIED = 3


@dataclass(kw_only=True)
class Stores:
    """The control database and the cache, in a folder that only this deployment uses."""

    folder: Path
    services: EmbeddedServices

    @property
    def control(self) -> str:
        """The control database."""
        return self.services.database_url("control")

    async def restart_postgres(self, how: signal.Signals) -> None:
        """Every connection is cut and the data stays: in order (SIGINT), or as after a crash (SIGQUIT)."""
        data = self.folder / "postgres"
        await asyncio.to_thread(stop_process, data / "postmaster.pid", "postgres", how)
        await _started(partial(start_postgres, data))

    async def restart_valkey(self) -> None:
        """Everything in it may be gone."""
        data = self.folder / "valkey"
        await asyncio.to_thread(stop_process, data / "valkey.pid", "valkey-server", signal.SIGTERM)
        await _started(partial(start_valkey, data))


@asynccontextmanager
async def own_stores(folder: Path) -> AsyncIterator[Stores]:
    """Started inside, stopped on the way out."""
    services = await asyncio.to_thread(start, folder)
    try:
        await asyncio.to_thread(ensure_database, services, "control", "postgres")
        yield Stores(folder=folder, services=services)
    finally:
        await asyncio.to_thread(stop, folder)


@dataclass(kw_only=True)
class Deployment:
    """Its processes by name. One that is killed is started again."""

    folder: Path
    environment: dict[str, str]
    ports: dict[str, int]
    children: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    deaths: list[str] = field(default_factory=list)
    logged: dict[str, int] = field(default_factory=dict)

    @property
    def urls(self) -> tuple[str, ...]:
        """Where the platforms deliver to."""
        return tuple(f"http://127.0.0.1:{port}" for port in self.ports.values())

    async def start(self, name: str) -> None:
        """Start a process and let it boot."""
        own = {**self.environment, "PORT": str(self.ports.get(name, 0))}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.logged[name] = log.tell()
            self.children[name] = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.chaos.child", name.partition("-")[0],
                env={**own, "PYTHONPATH": str(ROOT)}, cwd=self.folder, stdout=log, stderr=log,
            )  # fmt: skip

    async def kill(self, name: str) -> None:
        """SIGKILL, and another one in its place."""
        child = self.children.pop(name)
        if child.returncode is None:
            child.kill()
        await child.wait()
        await self.start(name)

    def is_up(self, name: str) -> bool:
        """Whether the process has said that it works since it was last started."""
        said = (self.folder / f"{name}.log").read_bytes()[self.logged[name] :]
        return b'"worker_started"' in said or b'"serving"' in said

    async def until_it_lives(self) -> None:
        """Every `serve` answers."""
        async with ClientSession() as http:
            for url in self.urls:
                while not await _lives(http, url):
                    ended = [name for name, child in self.children.items() if child.returncode is not None]
                    assert not ended, f"{ended} did not start, see {self.folder}"
                    await asyncio.sleep(0.1)

    async def supervise(self) -> None:
        """Start again what ended by itself, as an orchestrator does, and remember it. Runs until cancelled."""
        while True:
            for name, child in tuple(self.children.items()):
                if child.returncode is not None:
                    self.deaths.append(name)
                    await self.start(name)
            await asyncio.sleep(0.5)

    async def stop(self) -> None:
        """SIGTERM, and wait."""
        for child in self.children.values():
            if child.returncode is None:
                child.terminate()
        await asyncio.gather(*(child.wait() for child in self.children.values()))


@asynccontextmanager
async def deployed(folder: Path, settings: Mapping[str, str], endpoints: Endpoints) -> AsyncIterator[Deployment]:
    """The processes, configured by `settings` and by nothing else."""
    told = {"PATH": os.environ["PATH"], ENDPOINTS: json.dumps(asdict(endpoints))}  # noqa: TID251  # for child processes
    ports = {name: _free_port() for name in SERVES}
    deployment = Deployment(folder=folder, environment={**told, **settings}, ports=ports)
    try:
        for name in (*SERVES, *WORKERS):
            await deployment.start(name)
        await deployment.until_it_lives()
        supervisor = asyncio.create_task(deployment.supervise())
        try:
            yield deployment
        finally:
            supervisor.cancel()
            await asyncio.gather(supervisor, return_exceptions=True)
    finally:
        await deployment.stop()


async def _started(start_server: Callable[[], str]) -> None:
    """A server that takes longer than a minute to start, on a busy machine, is waited for again."""
    for _ in range(STARTS_TRIED):
        try:
            await asyncio.to_thread(start_server)
        except EmbeddedServiceError as error:
            failed = error
        else:
            return
    raise failed


async def _lives(http: ClientSession, url: str) -> bool:
    try:
        async with http.get(f"{url}/health/live") as answer:
            return answer.status == 200
    except ClientError:
        return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
