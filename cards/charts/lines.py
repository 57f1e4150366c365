"""Lines over time, named where they end."""

from decimal import Decimal

from matplotlib.axes import Axes

from agent.wording.numbers import write_cell
from cards.charts.axis import draw_number_axis, draw_time_axis
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import ChartData, Series, Values
from cards.charts.style import GRID, MUTED, colour, shortened
from semantic_catalog.model import Locale

NAME = 20
MAX_DOTTED = 45
# Closer than this share of the plot's height, two names would overlap.
NAME_GAP = 0.062
# Values that fall below this part of the highest are drawn against zero.
ZERO_BELOW = 0.5
NEAR_EDGE = 0.05


def draw_lines(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """One line per series with gaps where data is missing; ends carry name and value, a lone line its extremes too."""
    axes = sheet.axes
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    for place, series in enumerate(data.series):
        _draw_line(axes, series, _colour(series, place))
    _bound(axes, data)
    draw_number_axis(axes, data.column, locale)
    draw_time_axis(axes, data.starts, data.grain or "day", locale, is_narrow=len(data.series) > 1)
    if len(data.series) == 1:
        _mark_extremes(axes, data, locale)
    else:
        _name_ends(axes, data, locale)
    fit(sheet)


def _colour(series: Series, place: int) -> str:
    return colour(place, is_other=series.is_other, is_previous=series.is_previous)


def _draw_line(axes: Axes, series: Series, color: str) -> None:
    heights = [float("nan") if value is None else float(value) for value in series.values]
    dotted = len(heights) <= MAX_DOTTED
    axes.plot(
        range(len(heights)), heights, color=color, linewidth=2.4 if dotted else 1.6, marker="o" if dotted else None,
        markersize=5, solid_capstyle="round", zorder=3,
    )  # fmt: skip
    alone = [] if dotted else _alone(series.values)
    axes.plot(alone, [heights[place] for place in alone], color=color, linestyle="none", marker="o", markersize=4)


def _alone(values: Values) -> list[int]:
    """Values between two gaps: without a dot they would not be seen."""
    padded = (None, *values, None)
    return [
        place
        for place, value in enumerate(values)
        if value is not None and padded[place] is None and padded[place + 2] is None
    ]


def _bound(axes: Axes, data: ChartData) -> None:
    values = [float(value) for series in data.series for value in series.values if value is not None]
    low, high = min(values), max(values)
    # Amounts and counts are seen against zero unless that would flatten them; rates are seen close up.
    if data.column.format in ("amount", "count") and 0 < low < high * ZERO_BELOW:
        low = 0.0
    spread = (high - low) or abs(high) or 1.0
    bottom = low if low == 0 else low - 0.12 * spread
    axes.set_ylim(bottom, high + 0.15 * spread)
    last = len(data.starts) - 1
    axes.set_xlim(-0.5 if last == 0 else -0.02 * last, 0.5 if last == 0 else last * 1.02)


def _mark_extremes(axes: Axes, data: ChartData, locale: Locale) -> None:
    known = [(value, place) for place, value in enumerate(data.series[0].values) if value is not None]
    (low, low_at), (high, high_at) = min(known), max(known)
    last, last_at = known[-1]
    _write_value(axes, high_at, high, data, locale, is_above=True)
    if low_at != high_at:
        _write_value(axes, low_at, low, data, locale, is_above=False)
    if last_at not in (low_at, high_at):
        text = write_cell(last, data.column, locale, compact=True)
        write(axes, (last_at, float(last)), text, move=(8, 0), va="center", ha="left", weight="bold")


def _write_value(axes: Axes, at: int, value: Decimal, data: ChartData, locale: Locale, is_above: bool) -> None:
    text = write_cell(value, data.column, locale, compact=True)
    move = (0, 9) if is_above else (0, -9)
    write(axes, (at, float(value)), text, move=move, ha=_side(at, data), va="bottom" if is_above else "top")


def _side(at: int, data: ChartData) -> str:
    """Names of the first and last points lean inwards, away from the axis and the edge."""
    last = len(data.starts) - 1
    if last == 0 or NEAR_EDGE <= at / last <= 1 - NEAR_EDGE:
        return "center"
    return "left" if at < last / 2 else "right"


def _name_ends(axes: Axes, data: ChartData, locale: Locale) -> None:
    ends = [(value, place) for place, series in enumerate(data.series) if (value := _last(series.values)) is not None]
    low, high = axes.get_ylim()
    heights = spread_apart([(float(value), place) for value, place in ends], NAME_GAP * (high - low), low, high)
    for value, place in ends:
        _name_end(axes, data, place, (float(value), heights[place]), _end_text(data, place, value, locale))


def _end_text(data: ChartData, place: int, value: Decimal, locale: Locale) -> str:
    written = write_cell(value, data.column, locale, compact=True)
    return f"{shortened(data.series[place].name, NAME)} {written}"


def _name_end(axes: Axes, data: ChartData, place: int, heights: tuple[float, float], text: str) -> None:
    series = data.series[place]
    end, shown = heights
    last = max(at for at, value in enumerate(series.values) if value is not None)
    edge = len(data.starts) - 1
    color = MUTED if series.is_other or series.is_previous else _colour(series, place)
    reach = edge * 1.02 if edge else 0.5
    axes.plot([last, reach], [end, shown], color=color, linewidth=0.8, alpha=0.6, clip_on=False, zorder=2)
    write(axes, (reach, shown), text, move=(4, 0), color=color, va="center", ha="left", weight="bold")


def _last(values: Values) -> Decimal | None:
    return next((value for value in reversed(values) if value is not None), None)


def spread_apart(ends: list[tuple[float, int]], gap: float, low: float, high: float) -> dict[int, float]:
    """Heights at least `gap` apart, in the order of the ends and inside the plot where they all fit."""
    placed: dict[int, float] = {}
    previous = low - gap
    for end, place in sorted(ends):
        previous = max(end, previous + gap)
        placed[place] = previous
    surplus = max(previous - high, 0.0)
    ceiling = previous - surplus
    for _, place in sorted(ends, reverse=True):
        placed[place] = min(placed[place], ceiling)
        ceiling = placed[place] - gap
    return placed
