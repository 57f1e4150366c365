"""A file of a chat platform, downloaded from allowed addresses only, up to a size."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from yarl import URL

from agent.values.file import FileRefused
from cards.errors import DeliveryUnavailable

CHUNK_BYTES: Final = 256 * 1024
REDIRECTS: Final = 3
UNREACHABLE: Final = FileRefused(reason="unreachable")
_PAGE: Final = (b"<!doctype html", b"<html")


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """What to fetch, and from where alone: every address, also one that another leads to, is asked of `allows`.

    `headers` go to allowed addresses and nowhere else.
    """

    url: str
    allows: Callable[[str], bool]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


async def download(wanted: Download, into: Path, most: int) -> FileRefused | None:
    """Write the file into `into`; why not, for an address that is not allowed, a web page, or more than `most` bytes.

    Raises `DeliveryUnavailable` when the platform does not answer.
    """
    try:
        async with ClientSession(timeout=_patience()) as session:
            return await _follow(session, wanted, into, most)
    except (ClientError, TimeoutError, ValueError) as error:
        # The address is a secret of its own: it must not get into the log.
        raise DeliveryUnavailable(f"file download: {type(error).__name__}") from None


def _patience() -> ClientTimeout:
    """A slow network may take minutes for a large file; one that says nothing is given up sooner."""
    return ClientTimeout(total=600, sock_connect=10, sock_read=30)


async def _follow(session: ClientSession, wanted: Download, into: Path, most: int) -> FileRefused | None:
    url = wanted.url
    for _ in range(REDIRECTS + 1):
        if not wanted.allows(url):
            return FileRefused(reason="not_allowed")
        async with session.get(URL(url, encoded=True), headers=wanted.headers, allow_redirects=False) as response:
            if not 300 <= response.status < 400:
                return await _take(response, into, most)
            url = str(response.url.join(URL(response.headers.get("Location", ""), encoded=True)))
    return UNREACHABLE


async def _take(response: ClientResponse, into: Path, most: int) -> FileRefused | None:
    if response.status == HTTPStatus.TOO_MANY_REQUESTS or response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise DeliveryUnavailable(f"file download: {response.status}")
    # With a token that is not good enough a platform shows its login page, and calls that a success.
    if response.status != HTTPStatus.OK or response.content_type == "text/html":
        return UNREACHABLE
    if (response.content_length or 0) > most:
        return too_large(response.content_length or 0, most)
    return await _write(response, into, most)


async def _write(response: ClientResponse, into: Path, most: int) -> FileRefused | None:
    size = 0
    with into.open("wb") as opened:
        async for chunk in response.content.iter_chunked(CHUNK_BYTES):
            if size == 0 and chunk.lstrip()[:20].lower().startswith(_PAGE):
                return UNREACHABLE
            size += len(chunk)
            if size > most:
                return too_large(size, most)
            await asyncio.to_thread(opened.write, chunk)
    return None


def too_large(size: int, most: int) -> FileRefused:
    """The refusal of a file of at least `size` bytes."""
    megabyte = 1024 * 1024
    return FileRefused(
        reason="too_large", params=(("size", f"{size / megabyte:.0f}"), ("most", f"{most / megabyte:.0f}"))
    )
