"""A ring of parts with their names beside it."""

import math
from decimal import Decimal

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from agent.wording.numbers import percent, write_cell
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import ChartData
from cards.charts.style import BACKGROUND, INK, OTHER, PALETTE, colour, shortened
from semantic_catalog.model import Locale

NAME = 32
LINE = 0.3
LEGEND_AT = 1.35
RING = 0.48
RING_MIDDLE = 1 - RING / 2
# Below this share a slice is too thin to write in.
WRITTEN_IN = Decimal("0.07")
# White is not readable on the pale colours.
_PALE = (PALETTE[1], PALETTE[4], PALETTE[5], OTHER)


def draw_pie(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """Slices clockwise from the top with their percentages; the names, shares and values stand beside them."""
    axes = sheet.axes
    values = [value or Decimal(0) for value in data.series[0].values]
    total = sum(values, Decimal(0))
    colours = [colour(place, is_other=place == data.other) for place in range(len(values))]
    shares = [value / total for value in values]
    axes.set_aspect("equal")
    axes.set_axis_off()
    _draw_ring(axes, shares, colours)
    _write_in(axes, shares, colours, locale)
    for place, share in enumerate(shares):
        height = ((len(shares) - 1) / 2 - place) * LINE
        axes.add_patch(Rectangle((LEGEND_AT, height - 0.02), 0.1, 0.1, facecolor=colours[place], clip_on=False))
        text = _beside(data, place, share, locale)
        write(axes, (LEGEND_AT + 0.17, height), text, va="center", ha="left", linespacing=1.35)
    fit(sheet)


def _draw_ring(axes: Axes, shares: list[Decimal], colours: list[str]) -> None:
    axes.pie(
        [float(share) for share in shares],
        colors=colours,
        startangle=90,
        counterclock=False,
        wedgeprops={"width": RING, "edgecolor": BACKGROUND, "linewidth": 2},
    )
    axes.set_xlim(-1.02, LEGEND_AT + 0.4)
    axes.set_ylim(-1.02, 1.02)
    axes.set_anchor("W")


def _write_in(axes: Axes, shares: list[Decimal], colours: list[str], locale: Locale) -> None:
    before = Decimal(0)
    for share, color in zip(shares, colours, strict=True):
        angle = math.radians(90 - 360 * float(before + share / 2))
        before += share
        if share >= WRITTEN_IN:
            ink = INK if color in _PALE else BACKGROUND
            middle = (RING_MIDDLE * math.cos(angle), RING_MIDDLE * math.sin(angle))
            write(axes, middle, percent(share, locale), color=ink, ha="center", va="center", size=11.5)


def _beside(data: ChartData, place: int, share: Decimal, locale: Locale) -> str:
    # Name and figures on two lines: side by side, long names would leave the sheet.
    name, written = shortened(data.categories[place], NAME), percent(share, locale)
    if data.column.format == "percent":
        return f"{name}\n{written}"
    value = write_cell(data.series[0].values[place], data.column, locale, compact=True)
    return f"{name}\n{written} · {value}"
