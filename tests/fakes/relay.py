"""A door between a client and a local server that a test can shut, freeze and open again."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

Overhearing = Callable[[], Callable[[bytes], None]]
"""Made once for each connection: what is told every piece that a client sends, as it is passed on."""


class Relay:
    """Passes TCP connections of 127.0.0.1 on to a unix socket while it is open."""

    def __init__(self, socket_path: str, overhearing: Overhearing | None = None) -> None:
        self._socket_path = socket_path
        self._overhearing = overhearing
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.port = 0

    async def open(self) -> None:
        """Accept connections, on the same port every time."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def shut(self) -> None:
        """Cut every connection and refuse new ones: the server is gone."""
        self._flowing.set()
        if self._server is None:
            return
        self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()
        await asyncio.gather(*self._passing)
        await self._server.wait_closed()
        self._server = None

    def freeze(self) -> None:
        """Pass nothing on any more without closing anything: the server hangs."""
        self._flowing.clear()

    def thaw(self) -> None:
        """Pass on what was held back: the server answers again."""
        self._flowing.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(self._socket_path)
        hear = self._overhearing() if self._overhearing else None
        for source, target, heard in ((reader, inner_writer, hear), (inner_reader, writer, None)):
            self._writers.add(target)
            task = asyncio.create_task(self._pass(source, target, heard))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, heard: Callable[[bytes], None] | None
    ) -> None:
        try:
            while data := await reader.read(65536):
                await self._flowing.wait()
                if heard is not None:
                    heard(data)
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()
            self._writers.discard(writer)


@asynccontextmanager
async def open_relay(socket_path: str, overhearing: Overhearing | None = None) -> AsyncIterator[Relay]:
    """A relay that is open at first and shut at the end."""
    relay = Relay(socket_path, overhearing)
    await relay.open()
    try:
        yield relay
    finally:
        await relay.shut()
