"""Colours, sizes and letters of every chart."""

import re
import textwrap
from functools import cache

from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font

# Okabe and Ito's colours, told apart with every common colour blindness; the yellow is too pale on white.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7A5195", "#4D4D4D")
OTHER = "#A9B0B7"
PREVIOUS = "#B7C9D6"
INK = "#1F2933"
MUTED = "#5F6B76"
GRID = "#E3E7EB"
BACKGROUND = "#FFFFFF"
FAMILY = "DejaVu Sans"
TOFU = "□"


def font(size: float, bold: bool = False) -> FontProperties:
    """The chart font; `size` is in points (100 pixels are 72 points)."""
    return FontProperties(family=FAMILY, size=size, weight="bold" if bold else "normal")


def colour(place: int, *, is_other: bool = False, is_previous: bool = False) -> str:
    """The colour of the series at `place`; what sums up the rest, and what was before, stay in the background."""
    if is_other:
        return OTHER
    return PREVIOUS if is_previous else PALETTE[place % len(PALETTE)]


def drawable(text: str) -> str:
    """The text on one line, with a box for every character that the font lacks."""
    known = _letters()
    one_line = re.sub(r"[\t\r\n\f\v\x00-\x1f]+", " ", text).strip()
    return "".join(letter if ord(letter) in known else TOFU for letter in one_line)


def wrapped(text: str, width: int, lines: int = 2) -> str:
    """The text in at most `lines` lines of about `width` characters, ending in an ellipsis when it is cut."""
    return "\n".join(
        textwrap.wrap(drawable(text), width=width, max_lines=lines, placeholder="…", break_on_hyphens=False)
    )


def shortened(text: str, width: int) -> str:
    """The text on one line of at most `width` characters, ending in an ellipsis when it is cut."""
    shown = drawable(text)
    return shown if len(shown) <= width else shown[: width - 1].rstrip() + "…"


@cache
def _letters() -> frozenset[int]:
    return frozenset(FT2Font(findfont(FontProperties(family=FAMILY))).get_charmap())
