"""Charts small enough to travel inside a card."""

import base64
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from PIL import Image

from cards.elements import Attachment
from cards.limits import TEAMS

_LONGEST_SIDE: Final = 1024
_SMALLEST_SIDE: Final = 256
_COLOURS: Final = 128
_MOST_LINKED: Final = 1_000_000


def is_picture(attachment: Attachment) -> bool:
    """Whether cards show it rather than offering it as a file."""
    return attachment.media_type == "image/png"


def fits_as_it_is(content: bytes) -> bool:
    """Whether Teams shows the PNG from an address: at most 1024 pixels a side and 1 MB."""
    try:
        with Image.open(BytesIO(content), formats=("PNG",)) as opened:
            return max(opened.size) <= _LONGEST_SIDE and len(content) <= _MOST_LINKED
    except OSError:
        return False


def data_address(content: bytes) -> str:
    """The PNG as a `data:` address of at most `TEAMS.picture_data` bytes of picture; empty when that cannot be.

    At most 1024 pixels a side, fewer where that is still too large. Takes some 100 ms: not for the event loop.
    """
    try:
        with Image.open(BytesIO(content), formats=("PNG",)) as opened:
            picture = opened.convert("RGB")
    except OSError:
        return ""
    return next((_address(small) for small in _candidates(content, picture) if len(small) <= TEAMS.picture_data), "")


def _candidates(content: bytes, picture: Image.Image) -> Iterator[bytes]:
    """The picture as it is, then smaller and smaller."""
    if max(picture.size) <= _LONGEST_SIDE:
        yield content
    side = _LONGEST_SIDE
    while side >= _SMALLEST_SIDE:
        yield _encoded(picture, side)
        side = side * 3 // 4


def _address(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def _encoded(picture: Image.Image, side: int) -> bytes:
    fitted = picture.copy()
    fitted.thumbnail((side, side), Image.Resampling.LANCZOS)
    written = BytesIO()
    fitted.quantize(_COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()
