"""Bars, standing or lying, alone or side by side."""

from decimal import Decimal

from matplotlib.axes import Axes

from agent.wording.numbers import write_cell
from cards.charts.axis import draw_number_axis, draw_time_axis
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import ChartData, Series
from cards.charts.kind import CHARACTERS_ACROSS, name_width
from cards.charts.legend import draw_legend
from cards.charts.style import INK, MUTED, OTHER, colour, font, wrapped
from semantic_catalog.model import Locale

GROUP = 0.72
LYING_LABEL = 30


def lying_height(data: ChartData) -> float:
    """The pixels that lying bars want, words included."""
    return 170 + len(data.categories) * (18 + 24 * min(len(data.series), 4))


def draw_bars(sheet: Sheet, data: ChartData, locale: Locale, lying: bool) -> None:
    """The bars with a value at each end; values are left out where standing bars are too many to carry them."""
    axes = sheet.axes
    clear(axes, lying)
    for place, series in enumerate(data.series):
        _draw_series(axes, data, series, place, lying)
    _bound(axes, data, lying)
    name_categories(axes, data, lying)
    if data.starts and not lying:
        draw_time_axis(axes, data.starts, data.grain or "day", locale)
    if lying or _values_fit(data, locale):
        _name_values(axes, data, locale, lying)
    else:
        draw_number_axis(axes, data.column, locale)
    if len(data.series) > 1:
        draw_legend(axes, [(series.name, _colour(data, series, place)) for place, series in enumerate(data.series)])
    fit(sheet)


def clear(axes: Axes, lying: bool) -> None:
    """An empty frame with nothing but the line that bars start from."""
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    if lying:
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.axvline(0, color=MUTED, linewidth=1, zorder=3)
    else:
        axes.set_yticks([])
        axes.axhline(0, color=MUTED, linewidth=1, zorder=3)


def _draw_series(axes: Axes, data: ChartData, series: Series, place: int, lying: bool) -> None:
    drawn = [(at, float(value)) for at, value in enumerate(series.values) if value is not None]
    places = [at + _offset(place, len(data.series)) for at, _ in drawn]
    lengths = [length for _, length in drawn]
    colours = [OTHER if at == data.other else _colour(data, series, place) for at, _ in drawn]
    width = GROUP / len(data.series) * (0.92 if len(data.series) > 1 else 1)
    if lying:
        axes.barh(places, lengths, height=width, color=colours, zorder=2)
    else:
        axes.bar(places, lengths, width=width, color=colours, zorder=2)


def _bound(axes: Axes, data: ChartData, lying: bool) -> None:
    """From zero to the longest bar, with room for the value of a bar that points towards the names."""
    lengths = [float(value) for series in data.series for value in series.values if value is not None]
    low, high = min(0.0, *lengths), max(0.0, *lengths)
    span = (high - low) or 1.0
    bounds = (low - (0.16 if lying else 0.07) * span if low < 0 else 0.0, high if high > 0 or low < 0 else span)
    (axes.set_xlim if lying else axes.set_ylim)(*bounds)


def _colour(data: ChartData, series: Series, place: int) -> str:
    return colour(place, is_previous=series.is_previous and len(data.series) == 2, is_other=series.is_other)


def _offset(place: int, of: int) -> float:
    return (place - (of - 1) / 2) * GROUP / of


def name_categories(axes: Axes, data: ChartData, lying: bool) -> None:
    """The category below or beside each bar, and the bounds of that axis."""
    count = len(data.categories)
    width = LYING_LABEL if lying else name_width(count)
    names = [wrapped(name, width, lines=2 if lying else 3) for name in data.categories]
    axis = axes.yaxis if lying else axes.xaxis
    axis.set_ticks(range(count), names)
    for label in axis.get_ticklabels():
        label.set(fontproperties=font(12), color=INK, parse_math=False)
    if lying:
        axes.set_ylim(count - 0.5, -0.5)
    else:
        # A lone bar or two would fill the sheet.
        spare = max(0.0, (4 - count) / 2)
        axes.set_xlim(-0.5 - spare, count - 0.5 + spare)


def _values_fit(data: ChartData, locale: Locale) -> bool:
    texts = [_text(value, data, locale) for series in data.series for value in series.values if value is not None]
    return len(texts) * (max(map(len, texts), default=0) + 1) <= CHARACTERS_ACROSS


def _name_values(axes: Axes, data: ChartData, locale: Locale, lying: bool) -> None:
    size = 12 if len(data.series) == 1 else 10.5
    for place, series in enumerate(data.series):
        for at, value in enumerate(series.values):
            if value is not None:
                middle = at + _offset(place, len(data.series))
                _name_value(axes, middle, value, _text(value, data, locale), lying, size)


def _text(value: Decimal, data: ChartData, locale: Locale) -> str:
    return write_cell(value, data.column, locale, compact=True)


def _name_value(axes: Axes, at: float, value: Decimal, text: str, lying: bool, size: float) -> None:
    away = -4 if value < 0 else 4
    if lying:
        write(
            axes, (float(value), at), text, move=(away, 0), size=size, ha="right" if value < 0 else "left", va="center"
        )
    else:
        write(
            axes, (at, float(value)), text, move=(0, away), size=size, ha="center", va="top" if value < 0 else "bottom"
        )
