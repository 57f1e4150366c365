"""The sheet a chart is drawn on: its size, its words above and below, and the PNG it becomes."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cards.charts.style import BACKGROUND, INK, MUTED, drawable, font, wrapped

DPI = 100
WIDTH = 1024
MIN_HEIGHT = 420
MAX_HEIGHT = 1024
MARGIN = 36
TITLE_CHARACTERS = 54
SUBTITLE_CHARACTERS = 84
FOOTER_CHARACTERS = 104


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A figure with its words in place; `top` and `bottom` (pixels from below) bound what is left for the chart."""

    figure: Figure
    axes: Axes
    width: int
    height: int
    top: float
    bottom: float


def open_sheet(height: float, title: str, subtitle: str, footer: str) -> Sheet:
    """A sheet of `WIDTH` by about `height` pixels, never taller than `MAX_HEIGHT`."""
    pixels = int(min(max(height, MIN_HEIGHT), MAX_HEIGHT))
    figure = Figure(figsize=(WIDTH / DPI, pixels / DPI), dpi=DPI, facecolor=BACKGROUND)
    FigureCanvasAgg(figure)
    top = _write_down(figure, pixels - 28, wrapped(title, TITLE_CHARACTERS), 17, INK, bold=True)
    top = _write_down(figure, top - 8, wrapped(subtitle, SUBTITLE_CHARACTERS), 12.5, MUTED)
    bottom = _write_footer(figure, wrapped(footer, FOOTER_CHARACTERS), pixels)
    axes = figure.add_axes((0.1, 0.1, 0.8, 0.8), facecolor=BACKGROUND)
    return Sheet(figure=figure, axes=axes, width=WIDTH, height=pixels, top=top - 18, bottom=bottom + 16)


def fit(sheet: Sheet) -> None:
    """Give the axes all the room between the words, with every label of theirs inside the sheet."""
    frame = [float(MARGIN), sheet.bottom, float(sheet.width - MARGIN), sheet.top]
    # Labels move with the axes, so the second and third pass settle what the first has changed.
    for _ in range(3):
        _place(sheet, frame)
        boxes = [box for axes in sheet.figure.axes if (box := axes.get_tightbbox()) is not None]
        if not boxes:
            return
        box = Bbox.union(boxes)
        frame[0] += MARGIN - box.x0
        frame[1] += sheet.bottom - box.y0
        frame[2] -= box.x1 - (sheet.width - MARGIN)
        frame[3] -= box.y1 - sheet.top
    _place(sheet, frame)


def png(sheet: Sheet) -> bytes:
    """The sheet as a PNG; the same sheet gives the same bytes."""
    buffer = BytesIO()
    sheet.figure.savefig(buffer, format="png", dpi=DPI, facecolor=BACKGROUND, metadata={"Software": None})
    return buffer.getvalue()


def write(
    axes: Axes,
    at: tuple[float, float],
    text: str,
    *,
    move: tuple[float, float] = (0, 0),
    size: float = 12,
    **style: Any,
) -> Text:
    """Text at data coordinates, moved by points; nothing in it is markup. `style` are matplotlib's text properties."""
    return axes.annotate(
        "\n".join(drawable(line) for line in text.split("\n")),
        at,
        xytext=move,
        textcoords="offset points",
        fontproperties=font(size),
        parse_math=False,
        annotation_clip=False,
        **{"color": INK, **style},
    )


def _place(sheet: Sheet, frame: list[float]) -> None:
    left, bottom, right, top = frame
    # However long the labels are, a fifth of the sheet belongs to the chart.
    width, height = max(right - left, sheet.width / 5), max(top - bottom, sheet.height / 5)
    place = (left / sheet.width, bottom / sheet.height, width / sheet.width, height / sheet.height)
    for axes in sheet.figure.axes:
        axes.set_position(place)


def _write_down(figure: Figure, y: float, text: str, size: float, color: str, bold: bool = False) -> float:
    """Text that hangs from `y`; returns where it ends."""
    if not text:
        return y
    height = figure.get_figheight() * DPI
    figure.text(
        MARGIN / WIDTH, y / height, text, color=color, fontproperties=font(size, bold), va="top", parse_math=False
    )
    return y - size / 72 * DPI * 1.25 * (text.count("\n") + 1)


def _write_footer(figure: Figure, text: str, height: int) -> float:
    if not text:
        return 18.0
    figure.text(MARGIN / WIDTH, 18 / height, text, color=MUTED, fontproperties=font(10), va="bottom", parse_math=False)
    return 18 + 10 / 72 * DPI * 1.25 * (text.count("\n") + 1)
