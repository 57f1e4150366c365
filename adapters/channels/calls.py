"""Requests to chat platforms, told to whoever counts them."""

from collections.abc import Callable
from time import perf_counter
from types import SimpleNamespace

from aiohttp import (
    ClientSession,
    TraceConfig,
    TraceRequestEndParams,
    TraceRequestExceptionParams,
    TraceRequestStartParams,
)

Seen = Callable[[str, int, float], None]
"""Told of each request, tries included: the method's name, the HTTP status (0: none came) and seconds."""


def unseen(method: str, status: int, seconds: float) -> None:
    """Where nobody counts."""


def traced_calls(seen: Seen, name_of: Callable[[str], str]) -> TraceConfig:
    """What makes an aiohttp session tell `seen`. `name_of` gives a path's name, one of few: never an id."""

    async def started(_: ClientSession, context: SimpleNamespace, __: TraceRequestStartParams) -> None:
        context.started = perf_counter()

    async def ended(_: ClientSession, context: SimpleNamespace, told: TraceRequestEndParams) -> None:
        seen(name_of(told.url.path), told.response.status, perf_counter() - context.started)

    async def failed(_: ClientSession, context: SimpleNamespace, told: TraceRequestExceptionParams) -> None:
        seen(name_of(told.url.path), 0, perf_counter() - context.started)

    config = TraceConfig()
    config.on_request_start.append(started)
    config.on_request_end.append(ended)
    config.on_request_exception.append(failed)
    return config
