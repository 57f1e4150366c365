"""Areas over time: one under its line, or several piled up."""

from matplotlib.axes import Axes

from agent.wording.numbers import write_cell
from cards.charts.axis import draw_number_axis, draw_time_axis
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import ChartData, Series
from cards.charts.legend import draw_legend
from cards.charts.style import BACKGROUND, GRID, colour
from semantic_catalog.model import Locale

LONE_OPACITY = 0.25
MAX_DOTTED = 60
NOTHING = float("nan")


def draw_areas(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """The areas, with a gap where a bucket has no value at all; a lone area carries its highest and last value."""
    axes = sheet.axes
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    if len(data.series) == 1:
        _draw_lone(axes, data.series[0])
    else:
        _draw_pile(axes, data)
    _bound(axes, data)
    draw_number_axis(axes, data.column, locale)
    draw_time_axis(axes, data.starts, data.grain or "day", locale)
    if len(data.series) == 1:
        _mark(axes, data, locale)
    else:
        draw_legend(axes, [(series.name, _colour(series, place)) for place, series in enumerate(data.series)])
    fit(sheet)


def _draw_lone(axes: Axes, series: Series) -> None:
    heights = [NOTHING if value is None else float(value) for value in series.values]
    color = _colour(series, 0)
    axes.fill_between(range(len(heights)), heights, color=color, alpha=LONE_OPACITY, linewidth=0, zorder=2)
    # The dots show what stands alone between two gaps, which has neither line nor area.
    dot = "o" if len(heights) <= MAX_DOTTED else None
    axes.plot(range(len(heights)), heights, color=color, linewidth=2, marker=dot, markersize=3, zorder=3)


def _draw_pile(axes: Axes, data: ChartData) -> None:
    places = range(len(data.starts))
    is_gap = [all(series.values[place] is None for series in data.series) for place in places]
    floor = [NOTHING if gap else 0.0 for gap in is_gap]
    for place, series in enumerate(data.series):
        ceiling = [low + float(value or 0) for low, value in zip(floor, series.values, strict=True)]
        axes.fill_between(
            places, floor, ceiling, facecolor=_colour(series, place), edgecolor=BACKGROUND, linewidth=0.8, zorder=2
        )
        floor = ceiling


def _bound(axes: Axes, data: ChartData) -> None:
    piles = [sum(float(series.values[place] or 0) for series in data.series) for place in range(len(data.starts))]
    low, high = min(0.0, *piles), max(0.0, *piles)
    span = (high - low) or 1.0
    axes.set_ylim(low - 0.1 * span if low < 0 else 0.0, high + 0.12 * span)
    last = len(data.starts) - 1
    axes.set_xlim(-0.01 * last, last * 1.02)


def _mark(axes: Axes, data: ChartData, locale: Locale) -> None:
    known = [(value, place) for place, value in enumerate(data.series[0].values) if value is not None]
    (high, high_at), (last, last_at) = max(known), known[-1]
    edge = len(data.starts) - 1
    side = {0: "left", edge: "right"}.get(high_at, "center")
    write(axes, (high_at, float(high)), write_cell(high, data.column, locale, compact=True), move=(0, 7), ha=side)
    if last_at != high_at:
        text = write_cell(last, data.column, locale, compact=True)
        write(axes, (last_at, float(last)), text, move=(8, 0), ha="left", va="center", weight="bold")


def _colour(series: Series, place: int) -> str:
    return colour(place, is_other=series.is_other, is_previous=series.is_previous)
