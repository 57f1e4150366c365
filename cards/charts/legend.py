"""What each colour means, in a row above the chart."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from cards.charts.style import INK, font, shortened

NAME = 34
COLUMNS = 4


def draw_legend(axes: Axes, entries: Sequence[tuple[str, str]]) -> None:
    """A legend of (name, colour) above the axes, left aligned."""
    handles = [Patch(facecolor=color, label=shortened(name, NAME)) for name, color in entries]
    legend = axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1.05),
        ncols=min(len(handles), COLUMNS),
        frameon=False,
        prop=font(12),
        handlelength=1,
        handleheight=1,
        borderaxespad=0,
        columnspacing=1.6,
    )
    for text in legend.get_texts():
        text.set(color=INK, parse_math=False)
