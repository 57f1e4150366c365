"""Bars of one measure and a line of another, each on an axis of its own."""

from matplotlib.axes import Axes

from cards.charts.axis import draw_number_axis, draw_second_axis, draw_time_axis
from cards.charts.bars import clear, name_categories
from cards.charts.canvas import Sheet, fit
from cards.charts.data import ChartData, Series
from cards.charts.legend import draw_legend
from cards.charts.style import PALETTE
from semantic_catalog.model import Locale

BAR, LINE = PALETTE[5], PALETTE[3]
WIDTH = 0.66


def draw_combo(sheet: Sheet, data: ChartData, locale: Locale) -> None:
    """Pale bars against the left axis, a strong line with gaps against the right one; of members, dots: no path leads
    from one to the next.
    """
    bars, line = data.series
    axes, second = sheet.axes, sheet.axes.twinx()
    clear(axes, lying=False)
    for side in second.spines.values():
        side.set_visible(False)
    axes.bar(range(len(bars.values)), _heights(bars, missing=0.0), width=WIDTH, color=BAR, zorder=2)
    second.plot(
        range(len(line.values)), _heights(line, missing=float("nan")), color=LINE, marker="o", zorder=4,
        linewidth=2.4 if data.starts else 0, markersize=5 if data.starts else 9,
    )  # fmt: skip
    _bound(axes, bars, from_zero=True)
    _bound(second, line, from_zero=False)
    _name(axes, data, locale)
    draw_number_axis(axes, bars.column or data.column, locale)
    draw_second_axis(second, line.column or data.column, locale)
    draw_legend(axes, [(bars.name, BAR), (line.name, LINE)])
    fit(sheet)


def _heights(series: Series, missing: float) -> list[float]:
    return [missing if value is None else float(value) for value in series.values]


def _bound(axes: Axes, series: Series, from_zero: bool) -> None:
    known = [float(value) for value in series.values if value is not None] or [0.0]
    low, high = min(known), max(known)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    span = (high - low) or abs(high) or 1.0
    axes.set_ylim(low if from_zero and low == 0 else low - 0.25 * span, high + 0.12 * span)


def _name(axes: Axes, data: ChartData, locale: Locale) -> None:
    name_categories(axes, data, lying=False)
    if data.starts:
        draw_time_axis(axes, data.starts, data.grain or "day", locale, is_narrow=True)
