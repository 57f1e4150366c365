from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.channels.console.local_files import LocalFiles
from adapters.channels.slack.clients import slack_clients
from adapters.channels.slack.file_source import SlackFiles
from adapters.channels.teams.file_source import TeamsFiles
from agent.values.file import FileRefused
from agent.values.turn import InboundFile
from bot.ports import FileSource
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.fakes.teams.connector import teams_stand_in

MOST = 1000
CONTENT = b"Fecha;Importe\n" + bytes(range(128, 256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A channel's way to files, and how somebody gives one there; `leads_to` is where its address redirects."""

    source: FileSource
    give: Callable[[str, bytes, str], InboundFile]


@pytest.fixture
async def slack() -> AsyncIterator[Subject]:
    workspace = Workspace()

    def give(name: str, content: bytes, leads_to: str) -> InboundFile:
        file = workspace.give(name, content, leads_to=leads_to)
        return InboundFile(name=name, media_type="text/csv", size=0, url="", id=file.id)

    async with slack_server(workspace) as server, slack_clients(BOT_TOKEN, server.api) as clients:
        yield Subject(source=SlackFiles(clients=clients, hosts=(server.url.removeprefix("http://"),)), give=give)


@pytest.fixture
async def teams() -> AsyncIterator[Subject]:
    async with teams_stand_in() as stand_in:

        def give(name: str, content: bytes, leads_to: str) -> InboundFile:
            stand_in.downloads[name] = content
            if leads_to:
                stand_in.redirects[name] = leads_to
            return InboundFile(name=name, media_type="text/csv", size=0, url=stand_in.download_url(name))

        yield Subject(source=TeamsFiles(hosts=stand_in.config().endpoints.file_hosts), give=give)


@pytest.fixture
def console(tmp_path: Path) -> Subject:
    def give(name: str, content: bytes, _: str) -> InboundFile:
        path = tmp_path / name
        path.write_bytes(content)
        return InboundFile(name=name, media_type="text/csv", size=len(content), url=str(path))

    return Subject(source=LocalFiles(), give=give)


@pytest.fixture(params=["slack", "teams", "console"])
def subject(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["slack", "teams"])
def online(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.getfixturevalue(request.param)
    return found


async def test_the_bytes_arrive_as_they_are(subject: Subject, tmp_path: Path) -> None:
    file = subject.give("ventas.csv", CONTENT, "")
    assert await subject.source.fetch(file, tmp_path / "content", MOST) is None
    assert (tmp_path / "content").read_bytes() == CONTENT


async def test_more_bytes_than_allowed_are_refused(subject: Subject, tmp_path: Path) -> None:
    refused = await subject.source.fetch(subject.give("big.csv", b"x" * (MOST + 1), ""), tmp_path / "content", MOST)
    assert isinstance(refused, FileRefused)
    assert refused.reason == "too_large"


async def test_a_file_that_is_not_there_is_unreachable(subject: Subject, tmp_path: Path) -> None:
    file = subject.give("ventas.csv", CONTENT, "")
    gone = InboundFile(name="x", media_type="text/csv", size=0, url=f"{file.url}.gone", id="F0GONE" if file.id else "")
    assert await subject.source.fetch(gone, tmp_path / "content", MOST) == FileRefused(reason="unreachable")


async def test_a_login_page_is_no_file(online: Subject, tmp_path: Path) -> None:
    page = b"\n<!DOCTYPE html><html><body>Sign in, please</body></html>"
    file = online.give("ventas.csv", page, "")
    assert await online.source.fetch(file, tmp_path / "content", MOST) == FileRefused(reason="unreachable")


async def test_no_redirect_leads_elsewhere_and_no_token_either(online: Subject, tmp_path: Path) -> None:
    asked: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        asked.append(request.headers.get("Authorization", ""))
        return web.Response(body=CONTENT)

    app = web.Application()
    app.router.add_get("/stolen", elsewhere)
    server = TestServer(app)
    await server.start_server()
    file = online.give("ventas.csv", CONTENT, str(server.make_url("/stolen")))
    assert await online.source.fetch(file, tmp_path / "content", MOST) == FileRefused(reason="not_allowed")
    assert asked == []
    await server.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "https://files.slack.com.evil.example/f",
        "https://files.slack.com@evil.example/f",
        "https://evil.example/files.slack.com",
        "http://files.slack.com/f",
        "https://files.slack.com:8443/f",
        "file:///etc/passwd",
        "",
    ],
)
async def test_the_bot_token_goes_to_slacks_own_host_only(url: str, tmp_path: Path) -> None:
    async with slack_clients(BOT_TOKEN, "http://127.0.0.1:9/api/") as clients:
        file = InboundFile(name="x", media_type="text/csv", size=0, url=url)
        refused = await SlackFiles(clients=clients).fetch(file, tmp_path / "content", MOST)
    assert refused is not None
    assert refused.reason in ("not_allowed", "unreachable")
