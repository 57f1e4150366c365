"""Slack's side of Socket Mode: envelopes until they are acknowledged, over whichever connection stands."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import Json


class Envelopes:
    """Sends envelopes again over the next connection while nobody has acknowledged them. `acks` counts by envelope."""

    def __init__(self, server: SlackServer) -> None:
        self.pending: dict[str, Json] = {}
        self.acks: Counter[str] = Counter()
        self.connections = 0
        self._server = server
        self._socket: web.WebSocketResponse | None = None
        self._connected = asyncio.Event()
        self._changed = asyncio.Condition()

    async def deliver(self, kind: str, payload: Json, *, again: int = 0) -> str:
        """Send an envelope, `again` so many times although nothing is amiss; its id."""
        name = f"envelope-{len(self.pending) + sum(self.acks.values())}-{payload.get('event_id', '')}"
        envelope = {"envelope_id": name, "type": kind, "payload": payload, "accepts_response_payload": False}
        self.pending[name] = envelope
        for attempt in range(again + 1):
            await self._send({**envelope, "retry_attempt": attempt, "retry_reason": ""})
        return name

    async def refresh(self) -> None:
        """Tell the bot that this connection ends soon."""
        await self._send({"type": "disconnect", "reason": "refresh_requested", "debug_info": {"host": "wss-111.slack"}})

    async def drop(self) -> None:
        """End the connection without a word of warning."""
        await self.connected()
        assert self._socket is not None
        self._connected.clear()
        await self._socket.close()

    async def connected(self) -> None:
        """Wait for a connection."""
        await self._connected.wait()

    async def settled(self) -> None:
        """Wait until everything is acknowledged."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self.pending)

    async def meet(self) -> None:
        """Take every new connection; what was not acknowledged before is sent there again."""
        while True:
            self._socket = await self._server.sockets.get()
            self.connections += 1
            self._connected.set()
            for envelope in tuple(self.pending.values()):
                await self._send({**envelope, "retry_attempt": 1, "retry_reason": "timeout"})

    async def note(self) -> None:
        """Take acknowledgements."""
        while True:
            told = await self._server.acknowledged.get()
            async with self._changed:
                self.pending.pop(told["envelope_id"], None)
                self.acks[told["envelope_id"]] += 1
                self._changed.notify_all()

    async def _send(self, message: Json) -> None:
        await self.connected()
        assert self._socket is not None
        try:
            await self._socket.send_str(json.dumps(message))
        except ConnectionError:
            # Nobody is there: it is sent over the next connection.
            self._connected.clear()


@asynccontextmanager
async def envelopes_of(server: SlackServer) -> AsyncIterator[Envelopes]:
    """The server's envelopes, while inside."""
    desk = Envelopes(server)
    tasks = [asyncio.create_task(desk.meet()), asyncio.create_task(desk.note())]
    yield desk
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
