"""Parts of a whole as tiles whose areas are their values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from agent.wording.numbers import write_cell
from cards.charts.canvas import MARGIN, Sheet, write
from cards.charts.data import ChartData
from cards.charts.style import BACKGROUND, INK, OTHER, PALETTE, shortened, wrapped
from semantic_catalog.model import Locale

# Pixels that a character of the tile's text may take: tried from narrow to wide letters.
CHARACTERS = (8.5, 10.0, 11.5)
SHORTEST = 6
PADDING = 10.0
# The palest tile keeps this much of the colour.
PALEST = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A rectangle in pixels, from its lower left corner."""

    x: float
    y: float
    width: float
    height: float


def draw_treemap(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """Tiles from the largest, upper left, to the smallest; each that has the room carries its name and value."""
    values = [value or Decimal(0) for value in data.series[0].values]
    frame = Tile(x=MARGIN, y=sheet.bottom, width=sheet.width - 2 * MARGIN, height=sheet.top - sheet.bottom)
    axes = sheet.axes
    axes.set_axis_off()
    axes.set_position((frame.x / sheet.width, frame.y / sheet.height, frame.width / sheet.width,
                       frame.height / sheet.height))  # fmt: skip
    axes.set_xlim(0, frame.width)
    axes.set_ylim(frame.height, 0)
    tiles = tiled([float(value) for value in values], frame.width, frame.height)
    for place, tile in enumerate(tiles):
        shade = OTHER if place == data.other else _shade(float(values[place] / max(values)))
        _draw_tile(axes, tile, shade, (data.categories[place], write_cell(values[place], data.column, locale, True)))


def tiled(values: Sequence[float], width: float, height: float) -> list[Tile]:
    """Tiles of the areas of `values` (in that order, none negative) that fill width × height, as square as they get."""
    scale = width * height / sum(values)
    return _rows([value * scale for value in values], Tile(x=0, y=0, width=width, height=height))


def _rows(areas: list[float], free: Tile) -> list[Tile]:
    tiles: list[Tile] = []
    while areas:
        side = min(free.width, free.height)
        count = _best_count(areas, side)
        row, areas = areas[:count], areas[count:]
        placed, free = _lay(row, free)
        tiles += placed
    return tiles


def _best_count(areas: list[float], side: float) -> int:
    """How many of the next tiles share a row: more, until the worst of them gets less square."""
    count = 1
    while count < len(areas) and _worst(areas[: count + 1], side) <= _worst(areas[:count], side):
        count += 1
    return count


def _worst(row: list[float], side: float) -> float:
    """The most drawn out shape in a row along `side`: long over short."""
    total, smallest = sum(row), min(row)
    if smallest <= 0 or side <= 0:
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * smallest))


def _lay(row: list[float], free: Tile) -> tuple[list[Tile], Tile]:
    """A row along the shorter side of the free space, and what stays free."""
    total = sum(row)
    across = free.width >= free.height
    side = free.height if across else free.width
    depth = total / side if side > 0 else 0.0
    tiles, at = [], 0.0
    for area in row:
        length = side * area / total if total > 0 else 0.0
        tiles.append(
            Tile(x=free.x, y=free.y + at, width=depth, height=length)
            if across
            else Tile(x=free.x + at, y=free.y, width=length, height=depth)
        )
        at += length
    if across:
        return tiles, Tile(x=free.x + depth, y=free.y, width=max(free.width - depth, 0.0), height=free.height)
    return tiles, Tile(x=free.x, y=free.y + depth, width=free.width, height=max(free.height - depth, 0.0))


def _shade(share: float) -> str:
    strength = PALEST + (1 - PALEST) * share
    red, green, blue = (1 - strength * (1 - part) for part in to_rgb(PALETTE[0]))
    return to_hex((red, green, blue))


def _draw_tile(axes: Axes, tile: Tile, shade: str, texts: tuple[str, str]) -> None:
    axes.add_patch(
        Rectangle(
            (tile.x, tile.y), tile.width, tile.height, facecolor=shade, edgecolor=BACKGROUND, linewidth=2, zorder=2
        )
    )
    ink = BACKGROUND if _is_dark(shade) else INK
    for shown in _writings(*texts, tile):
        text = write(axes, (tile.x, tile.y), shown, move=(7, -6), color=ink, ha="left", va="top", linespacing=1.3)
        if _fits(text, tile):
            return
        text.remove()


def _writings(name: str, value: str, tile: Tile) -> Iterator[str]:
    """What may be written in a tile, best first."""
    for character in CHARACTERS:
        room = int((tile.width - 2 * PADDING) / character)
        if room < SHORTEST or max(map(len, name.split()), default=0) > room:
            continue
        lines = wrapped(name, room, lines=4)
        yield f"{lines}\n{value}"
        yield lines
    room = int((tile.width - 2 * PADDING) / CHARACTERS[-1])
    if room >= SHORTEST:
        yield f"{shortened(name, room)}\n{value}"
        yield shortened(name, room)


def _fits(text: Text, tile: Tile) -> bool:
    box = text.get_window_extent()
    return box.width <= tile.width - 2 * PADDING and box.height <= tile.height - PADDING


def _is_dark(shade: str) -> bool:
    red, green, blue = to_rgb(shade)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.6
