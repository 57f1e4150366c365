"""The endpoint over HTTP: chat completions, whole or streamed, and embeddings."""

import asyncio
import json
import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from tests.fakes.openai.replies import Fails, Hangs, Json, Reply, Says

ANY = "any"


class ScriptedOpenAi:
    """Answers each request with the next reply of its script: the one under its schema's name, else under `any`.

    `requests` are the bodies that came, oldest first, and `headers` theirs. A request without a reply is a fault.
    `models` are those that it lists; without any it has no such list. `concepts` maps words to the axis of meaning that
    the vectors of texts with them point along.
    """

    def __init__(self) -> None:
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.embedded: list[str] = []
        self.faults: list[str] = []
        self.concepts: dict[str, int] = {}
        self.embeddings_fail = False
        self.models: list[str] = ["scripted"]
        self.url = ""
        self._replies: dict[str, deque[Reply]] = defaultdict(deque)
        self._stopping = asyncio.Event()

    def script(self, name: str, *replies: Reply) -> None:
        """What is answered next to requests for that object."""
        self._replies[name].extend(replies)

    @property
    def unused(self) -> list[str]:
        """Names whose script has replies left."""
        return [name for name, replies in self._replies.items() if replies]

    def material(self, place: int = -1) -> str:
        """What the user's message of a request says."""
        content: str = self.requests[place]["messages"][-1]["content"]
        return content

    def app(self) -> web.Application:
        """What is served."""
        app = web.Application(client_max_size=50_000_000)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._list)
        app.router.add_post("/v1/embeddings", self._embed)
        app.router.add_post("/openai/deployments/{model}/chat/completions", self._complete)
        return app

    def stop(self) -> None:
        """Let go of requests that were never answered."""
        self._stopping.set()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.path_qs)
        match self._next(body):
            case Fails() as failure:
                return _failed(failure)
            case Hangs():
                await self._stopping.wait()
                return web.Response(status=500)
            case Says() as reply if body.get("stream"):
                return await _streamed(request, reply)
            case Says() as reply:
                return await _whole(request, reply)
        self.faults.append("a request without a reply")
        return web.Response(status=501)

    def _next(self, body: Json) -> Reply | None:
        wanted = (body.get("response_format") or {}).get("json_schema", {}).get("name", ANY)
        replies = self._replies[wanted] or self._replies[ANY]
        return replies.popleft() if replies else None

    async def _list(self, request: web.Request) -> web.StreamResponse:
        self.paths.append(request.path_qs)
        if not self.models:
            return web.json_response({"error": {"message": "no such path"}}, status=404)
        data = [{"id": name, "object": "model", "created": 1_790_000_000, "owned_by": "tests"} for name in self.models]
        return web.json_response({"object": "list", "data": data})

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.headers.append(dict(request.headers))
        if self.embeddings_fail:
            return web.json_response({"error": {"message": "down"}}, status=503)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.embedded += texts
        data = [
            {"object": "embedding", "index": place, "embedding": self._vector(text)} for place, text in enumerate(texts)
        ]
        used = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": used})

    def _vector(self, text: str) -> list[float]:
        axes = max(self.concepts.values(), default=0) + 2
        vector = [0.0] * axes
        for word in re.findall(r"\w+", text.lower()):
            vector[self.concepts.get(word, axes - 1)] += 1.0 if word in self.concepts else 0.01
        return vector


def _failed(failure: Fails) -> web.Response:
    if failure.raw is not None:
        return web.Response(status=failure.status, text=failure.raw, headers=failure.headers)
    error = {"message": "scripted failure", "type": "scripted", "code": failure.code}
    return web.json_response({"error": error}, status=failure.status, headers=failure.headers)


async def _whole(request: web.Request, reply: Says) -> web.StreamResponse:
    message = {"role": "assistant", "content": None if reply.refusal else reply.content, "refusal": reply.refusal}
    body = json.dumps({
        **_head("chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}],
        "usage": _usage(reply),
    }).encode()  # fmt: skip
    if reply.cut_after is None:
        return web.Response(body=body, content_type="application/json")
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: reply.cut_after])
    _drop(request)
    return response


async def _streamed(request: web.Request, reply: Says) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for place, part in enumerate(_parts(reply)):
        if reply.cut_after is not None and place >= reply.cut_after:
            _drop(request)
            return response
        await response.write(f"data: {json.dumps(part)}\n\n".encode())
    await response.write(b"data: [DONE]\n\n")
    return response


def _parts(reply: Says) -> Iterator[Json]:
    head = _head("chat.completion.chunk")
    pieces = [reply.content[start : start + 10] for start in range(0, len(reply.content), 10)]
    for piece in pieces:
        yield {
            **head,
            "choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}],
        }
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]}
    yield {**head, "choices": [], "usage": _usage(reply)}


def _head(kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_790_000_000, "model": "scripted"}


def _usage(reply: Says) -> dict[str, Any]:
    total = reply.tokens_in + reply.tokens_out
    return {"prompt_tokens": reply.tokens_in, "completion_tokens": reply.tokens_out, "total_tokens": total}


def _drop(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


@asynccontextmanager
async def scripted_openai() -> AsyncIterator[ScriptedOpenAi]:
    """The endpoint, listening on a free port of loopback; nothing unexpected may have been asked of it."""
    server = ScriptedOpenAi()
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert runner.addresses
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        server.stop()
        await runner.cleanup()
    assert server.faults == []
