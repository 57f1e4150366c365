"""Text made safe to draw: what a reader sees is what is there."""

import re
from typing import Final

ELLIPSIS: Final = "…"

# Controls that hide or reorder what follows (U+202E shows `cba` for `abc`): an approver must see them.
_INVISIBLE: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """`text` with control and text-direction characters written out as `<U+202E>`; line ends are `\\n`."""
    return _INVISIBLE.sub(_written_out, text.replace("\r\n", "\n").replace("\r", "\n"))


def clip(text: str, limit: int) -> str:
    """At most `limit` characters of `text`; a cut shows as an ellipsis."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip() + ELLIPSIS if limit > 0 else ""


def one_line(text: str) -> str:
    """`text` with every run of white space as one space; no-break spaces are kept."""
    return re.sub(r"[ \t\n]+", " ", text).strip(" ")


def _written_out(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"
