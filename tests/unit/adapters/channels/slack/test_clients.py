from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError

from adapters.channels.slack.clients import slack_clients


@dataclass(slots=True, kw_only=True)
class Told:
    """What was told of each request, in order."""

    calls: list[tuple[str, int]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __call__(self, method: str, status: int, seconds: float) -> None:
        self.calls.append((method, status))
        self.seconds.append(seconds)


@dataclass(slots=True, kw_only=True)
class Slack:
    """Answers with its statuses in order, then with 200."""

    statuses: list[int] = field(default_factory=list)
    url: str = ""

    async def answer(self, _: web.Request) -> web.Response:
        status = self.statuses.pop(0) if self.statuses else 200
        return web.json_response({"ok": status == 200}, status=status, headers={"Retry-After": "0"})


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    held, app = Slack(), web.Application()
    app.router.add_route("*", "/{path:.*}", held.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    held.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield held
    await runner.cleanup()


async def test_every_try_of_a_call_is_told_with_its_status(slack: Slack) -> None:
    slack.statuses, told = [429, 200], Told()
    async with slack_clients("xoxb-1", f"{slack.url}/api/", seen=told) as clients:
        await clients.posting.chat_postMessage(channel="C0SALES", text="x")
    assert told.calls == [("chat.postMessage", 429), ("chat.postMessage", 200)]
    assert all(seconds > 0 for seconds in told.seconds)


async def test_a_call_without_an_answer_is_told_with_status_0() -> None:
    told = Told()
    async with slack_clients("xoxb-1", "http://127.0.0.1:1/api/", seen=told) as clients:
        with pytest.raises((SlackApiError, OSError)):
            await clients.once.auth_test()
    assert told.calls == [("auth.test", 0)]


async def test_the_paths_of_files_are_told_as_files_and_name_none(slack: Slack) -> None:
    told = Told()
    async with slack_clients("xoxb-1", f"{slack.url}/api/", seen=told) as clients:
        session = clients.once.session
        assert session is not None
        async with session.get(f"{slack.url}/files-pri/T0HOME-F0SECRET/salaries.csv"):
            pass
    assert told.calls == [("file", 200)]
