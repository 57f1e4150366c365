"""Charts small enough to travel inside a card."""

import base64
from io import BytesIO
from typing import Final

from PIL import Image

from cards.elements import Attachment
from cards.limits import TEAMS

_LONGEST_SIDE: Final = 1024
_SMALLEST_SIDE: Final = 384
_COLOURS: Final = 128


def is_picture(attachment: Attachment) -> bool:
    """Whether cards show it rather than offering it as a file."""
    return attachment.media_type == "image/png"


def data_address(content: bytes) -> str:
    """The PNG as a `data:` address of at most `TEAMS.picture_data` bytes of picture; empty when that cannot be.

    At most 1024 pixels a side, fewer where that is still too large. Takes some 100 ms: not for the event loop.
    """
    try:
        with Image.open(BytesIO(content)) as opened:
            picture = opened.convert("RGB")
    except OSError:
        return ""
    side = _LONGEST_SIDE
    while side >= _SMALLEST_SIDE:
        small = _encoded(picture, side)
        if len(small) <= TEAMS.picture_data:
            return f"data:image/png;base64,{base64.b64encode(small).decode()}"
        side = side * 3 // 4
    return ""


def _encoded(picture: Image.Image, side: int) -> bytes:
    fitted = picture.copy()
    fitted.thumbnail((side, side), Image.Resampling.LANCZOS)
    written = BytesIO()
    fitted.quantize(_COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()
