import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError, ClientSession

from bot.demo.state import DomainData
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.scenario.conftest import POLICY
from tests.scenario.slack import SECRET, people_of

QUESTION = "approval rate by channel last month"
COMMAND = (sys.executable, "-c", "from bot.cli import main; main()", "all-in-one")


@pytest.fixture
def environment(fresh_database: str, valkey_url: str, payments: DomainData) -> dict[str, str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {
        "PATH": os.environ["PATH"],  # noqa: TID251  # a child process needs it
        "CONTROL_DATABASE_URL": fresh_database,
        "REDIS_URL": valkey_url,
        "WAREHOUSE_URLS": json.dumps({"payments": payments.reader_url}),
        "POLICY_FILE": str(POLICY),
        "FIXED_TODAY": "2026-11-01",
        "PORT": str(port),
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_SIGNING_SECRET": SECRET,
    }


@asynccontextmanager
async def _process(environment: dict[str, str], folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    quiet = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        *COMMAND, env={**environment, "PYTHONPATH": str(Path.cwd())}, cwd=folder, stdout=quiet, stderr=quiet
    )
    try:
        await _until_it_lives(_url(environment), child)
        yield child
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()


def _url(environment: dict[str, str]) -> str:
    return f"http://127.0.0.1:{environment['PORT']}"


async def _until_it_lives(url: str, child: asyncio.subprocess.Process) -> None:
    async with ClientSession() as http:
        while child.returncode is None:
            try:
                async with http.get(f"{url}/health/live"):
                    return
            except ClientConnectionError:
                await asyncio.sleep(0.05)
    raise AssertionError(f"the process ended with {child.returncode}")


async def test_a_process_killed_between_the_card_and_the_click_resumes_after_a_restart(
    environment: dict[str, str], tmp_path: Path
) -> None:
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with slack_server(workspace) as server:
        own = {**environment, "SLACK_API_URL": server.api}
        async with _process(own, tmp_path) as child, people_of(_url(own), workspace) as people:
            root = await people.mention(QUESTION)
            proposal = await people.card_with(root, "approve")
            child.send_signal(signal.SIGKILL)
            await child.wait()
        async with _process(own, tmp_path), people_of(_url(own), workspace) as people:
            assert (await people.press(proposal, "approve")).status == 200
            assert len(await people.files(root, 2)) == 2
            await people.card_with(root, "show_sql")
    assert workspace.faults == []
