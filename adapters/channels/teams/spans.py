"""A file in the pieces that OneDrive and SharePoint take."""

from collections.abc import AsyncIterator
from typing import Final

from cards.elements import Attachment

PART_BYTES: Final = 10 * 320 * 1024
"""How much of an upload session is sent at once: a multiple of 320 KiB, as Graph asks."""


async def spans_of(file: Attachment, most: int = PART_BYTES) -> AsyncIterator[tuple[str, bytes]]:
    """Each piece with its `Content-Range`; all but the last have `most` bytes."""
    start, waiting = 0, bytearray()
    async for part in file.read():
        waiting += part
        while len(waiting) >= most:
            yield _span(start, most, file.size), bytes(waiting[:most])
            del waiting[:most]
            start += most
    if waiting:
        yield _span(start, len(waiting), file.size), bytes(waiting)


def _span(start: int, count: int, size: int) -> str:
    return f"bytes {start}-{start + count - 1}/{size}"
