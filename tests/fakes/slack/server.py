"""The workspace over HTTP: Web API, uploads, answers to commands, and the WebSocket of Socket Mode."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

from tests.fakes.slack.consent import Consent
from tests.fakes.slack.methods import METHODS, TOKENS
from tests.fakes.slack.workspace import BOT_TOKEN, Json, SlackSays, Trouble, Workspace

_NESTED = ("blocks", "metadata", "view", "prompts", "loading_messages")


class SlackServer:
    """Serves one workspace, or several: a call is for the one whose token it carries. `url` has no slash at its end."""

    def __init__(self, workspace: Workspace, *others: Workspace) -> None:
        self.workspace = workspace
        self.workspaces = (workspace, *others)
        self.consent = Consent()
        self.dead_addresses = 0
        self.url = ""
        self.sockets: asyncio.Queue[web.WebSocketResponse] = asyncio.Queue()
        self.acknowledged: asyncio.Queue[Json] = asyncio.Queue()
        self._stopping = asyncio.Event()

    @property
    def api(self) -> str:
        """The base address for an SDK client."""
        return f"{self.url}/api/"

    def app(self) -> web.Application:
        """What is served."""
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", "/api/{method}", self._call)
        app.router.add_post("/upload/{file}", self._upload)
        app.router.add_get("/files-pri/{file}/download/{name}", self._download)
        app.router.add_post("/reply/{command}", self._reply)
        app.router.add_get("/socket", self._socket)
        return app

    def stop(self) -> None:
        """Let go of calls that were never answered."""
        self._stopping.set()

    async def _call(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        arguments = await _arguments(request)
        if method == "oauth.v2.access":
            return _said(self.consent.access(arguments))
        workspace = self._of(method, request.headers.get("Authorization", "").removeprefix("Bearer "))
        (workspace or self.workspace).calls.append((method, arguments))
        if workspace is None:
            return _said({"ok": False, "error": "invalid_auth"})
        if method == "auth.revoke":
            self.consent.revoked.append(workspace.team)
            return _said({"ok": True, "revoked": True})
        if workspace.is_too_fast(method, str(arguments.get("channel"))):
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": "1"})
        troubles = workspace.troubles.get(method)
        if troubles:
            workspace.troubled.append(troubles.popleft())
            return await self._go_wrong(workspace.troubled[-1], method, arguments, workspace)
        answer = _said(self._do(method, arguments, workspace))
        answer.headers["X-OAuth-Scopes"] = ",".join(workspace.scopes)
        return answer

    def _of(self, method: str, token: str) -> Workspace | None:
        """The workspace of a bot's token; the first one for the app's own."""
        if method in TOKENS:
            return self.workspace if token == TOKENS[method] else None
        return next((held for held in self.workspaces if held.token == token), None)

    def _do(self, method: str, arguments: Json, workspace: Workspace) -> Json:
        if method not in METHODS:
            workspace.faults.append(f"{method}: not expected of this bot")
            return {"ok": False, "error": "unknown_method"}
        try:
            return {"ok": True, **METHODS[method](workspace, arguments, self.url)}
        except SlackSays as said:
            return {"ok": False, "error": said.error}

    async def _go_wrong(
        self, trouble: Trouble, method: str, arguments: Json, workspace: Workspace
    ) -> web.StreamResponse:
        if trouble.done:
            self._do(method, arguments, workspace)
        if trouble.silent:
            await self._stopping.wait()
        if trouble.retry_after is not None:
            headers = {"Retry-After": str(trouble.retry_after)}
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)
        if trouble.status != 200:
            return web.Response(status=trouble.status, text="<html>upstream</html>", content_type="text/html")
        return _said({"ok": False, "error": trouble.error})

    async def _upload(self, request: web.Request) -> web.Response:
        self.workspace.files[request.match_info["file"]].content = await request.read()
        return web.Response(text="OK")

    async def _download(self, request: web.Request) -> web.Response:
        """A given file; without the bot's token the login page, with status 200 as Slack does it."""
        if request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
            return web.Response(text="<!DOCTYPE html><html>Sign in to Slack</html>", content_type="text/html")
        given = self.workspace.given[request.match_info["file"]]
        if given.leads_to:
            raise web.HTTPFound(given.leads_to)
        return web.Response(body=given.content, content_type=given.mimetype)

    async def _reply(self, request: web.Request) -> web.Response:
        self.workspace.command_replies.append(await request.json())
        return web.Response(text="ok")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if int(request.query["ticket"]) <= self.dead_addresses:
            return web.Response(status=408)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1})
        await self.sockets.put(socket)
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self.acknowledged.put(json.loads(message.data))
        return socket


@asynccontextmanager
async def serving(app: web.Application) -> AsyncIterator[str]:
    """The app on a free port of this machine; gives its address."""
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


@asynccontextmanager
async def slack_server(workspace: Workspace, *others: Workspace) -> AsyncIterator[SlackServer]:
    """The workspaces' server. On the way out every illegal payload that was not asked about fails the test."""
    server = SlackServer(workspace, *others)
    async with serving(server.app()) as url:
        server.url = url
        yield server
        server.stop()
    assert [fault for held in server.workspaces for fault in held.faults] == [], "the bot sent what Slack does not take"


async def _arguments(request: web.Request) -> Json:
    arguments: Json = dict(request.query)
    if request.content_type == "application/json":
        arguments |= await request.json()
    else:
        arguments |= {name: str(held) for name, held in (await request.post()).items()}
    return {name: _parsed(name, held) for name, held in arguments.items() if name != "token"}


def _parsed(name: str, held: Any) -> Any:
    return json.loads(held) if name in _NESTED and isinstance(held, str) else held


def _said(payload: Json) -> web.Response:
    return web.json_response(payload)
