"""History as a line, its forecast dashed, and the intervals around the forecast as bands."""

from math import ceil
from typing import Any

from matplotlib.axes import Axes

from agent.wording.numbers import write_cell
from agent.wording.texts import say
from cards.charts.axis import draw_number_axis, draw_time_axis
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import Band, ChartData, Series, Values
from cards.charts.legend import draw_legend
from cards.charts.style import GRID, PALETTE
from semantic_catalog.model import Locale

LINE, AHEAD = PALETTE[0], PALETTE[3]
# From the widest band to the narrowest: each lies on the one before.
BANDS = ("#F6D9C8", "#EBB394")
MAX_DOTTED = 60
NOTHING = float("nan")
# The room that a value takes, as parts of the plot's height and width.
LABEL, LABEL_WIDTH = 0.1, 0.12


def draw_forecast(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """The last value known and the last one ahead are written out; the forecast starts where history ends."""
    history, ahead = data.series[0], data.series[-1]
    axes = sheet.axes
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    for place, band in enumerate(data.bands):
        _draw_band(axes, band, history, BANDS[place % len(BANDS)])
    _draw_line(axes, _heights(history.values), LINE, "-")
    _draw_line(axes, _joined(ahead.values, history.values), AHEAD, "--")
    _bound(axes, data)
    draw_number_axis(axes, data.column, locale)
    draw_time_axis(axes, data.starts, data.grain or "day", locale, is_narrow=True)
    _write_last(axes, history, data, LINE, locale)
    _write_last(axes, ahead, data, AHEAD, locale)
    draw_legend(axes, [(history.name, LINE), (ahead.name, AHEAD), *_band_names(data, locale)])
    fit(sheet)


def _draw_band(axes: Axes, band: Band, history: Series, color: str) -> None:
    low, high = _joined(band.low.values, history.values), _joined(band.high.values, history.values)
    axes.fill_between(range(len(low)), low, high, color=color, linewidth=0, zorder=1)


def _draw_line(axes: Axes, heights: list[float], color: str, style: str) -> None:
    dotted = len(heights) <= MAX_DOTTED
    axes.plot(
        range(len(heights)), heights, color=color, linestyle=style, linewidth=2.2 if dotted else 1.5,
        marker="o" if dotted else None, markersize=4, zorder=3,
    )  # fmt: skip


def _heights(values: Values) -> list[float]:
    return [NOTHING if value is None else float(value) for value in values]


def _joined(ahead: Values, history: Values) -> list[float]:
    """What lies ahead, begun at the last value known so that nothing seems to be missing between."""
    heights = _heights(ahead)
    first = next((place for place, value in enumerate(ahead) if value is not None), 0)
    known = history[first - 1] if first else None
    if known is not None:
        heights[first - 1] = float(known)
    return heights


def _bound(axes: Axes, data: ChartData) -> None:
    drawn = (*data.series, *(series for band in data.bands for series in (band.low, band.high)))
    values = [float(value) for series in drawn for value in series.values if value is not None]
    low, high = min(values), max(values)
    if data.column.format in ("amount", "count") and 0 < low < high / 2:
        low = 0.0
    spread = (high - low) or abs(high) or 1.0
    axes.set_ylim(low if low == 0 else low - 0.1 * spread, high + 0.12 * spread)
    last = len(data.starts) - 1
    axes.set_xlim(-0.02 * last, last * 1.02)


def _write_last(axes: Axes, series: Series, data: ChartData, color: str, locale: Locale) -> None:
    place = max(place for place, value in enumerate(series.values) if value is not None)
    value = series.values[place]
    assert value is not None
    text = write_cell(value, data.column, locale, compact=True)
    looks: dict[str, Any]
    if place == len(data.starts) - 1:
        looks = {"move": (8, 0), "ha": "left", "va": "center"}
    elif _is_free(axes, series.values, place, LABEL):
        looks = {"move": (-4, 9), "ha": "right", "va": "bottom"}
    elif _is_free(axes, series.values, place, -LABEL):
        looks = {"move": (-4, -9), "ha": "right", "va": "top"}
    else:
        return
    write(axes, (place, float(value)), text, color=color, weight="bold", zorder=5, **looks)


def _is_free(axes: Axes, values: Values, place: int, reach: float) -> bool:
    """Whether the line leaves room left of a point, `reach` of the plot's height above (or below) it."""
    low, high = axes.get_ylim()
    end = float(values[place] or 0)
    top, bottom = max(end, end + reach * (high - low)), min(end, end + reach * (high - low))
    before = values[max(place - ceil(LABEL_WIDTH * len(values)), 0) : place]
    return all(value is None or not bottom < float(value) < top for value in before)


def _band_names(data: ChartData, locale: Locale) -> list[tuple[str, str]]:
    names = [say(locale, "chart.interval", level=band.level) for band in data.bands]
    return [(name, BANDS[place % len(BANDS)]) for place, name in enumerate(names)]
