"""Bars whose parts are piled up, standing or lying; parts below zero are piled downwards."""

from decimal import Decimal

from matplotlib.axes import Axes

from agent.wording.numbers import write_cell
from cards.charts.axis import draw_number_axis, draw_time_axis
from cards.charts.bars import clear, name_categories
from cards.charts.canvas import Sheet, fit, write
from cards.charts.data import ChartData, Series
from cards.charts.kind import CHARACTERS_ACROSS
from cards.charts.legend import draw_legend
from cards.charts.style import BACKGROUND, colour
from semantic_catalog.model import Locale

WIDTH = 0.72


def draw_stacked(sheet: Sheet, data: ChartData, locale: Locale, lying: bool) -> None:
    """The piles with their totals at the ends; the totals give way to an axis where they do not fit."""
    axes = sheet.axes
    clear(axes, lying)
    reached = _draw_parts(axes, data, lying)
    _bound(axes, reached, lying)
    name_categories(axes, data, lying)
    if data.starts and not lying:
        draw_time_axis(axes, data.starts, data.grain or "day", locale)
    texts = [_total_text(data, place, locale) for place in range(len(data.categories))]
    if _is_one_sided(reached) and (lying or len(texts) * (max(map(len, texts)) + 1) <= CHARACTERS_ACROSS):
        _write_totals(axes, reached, texts, lying)
    elif not lying:
        draw_number_axis(axes, data.column, locale)
    draw_legend(axes, [(series.name, _colour(series, place)) for place, series in enumerate(data.series)])
    fit(sheet)


def _draw_parts(axes: Axes, data: ChartData, lying: bool) -> list[tuple[float, float]]:
    """Draw every part; returns how far down and up each pile reaches."""
    reached = [(0.0, 0.0)] * len(data.categories)
    for place, series in enumerate(data.series):
        lengths = [float(value or 0) for value in series.values]
        starts = [low if length < 0 else high for length, (low, high) in zip(lengths, reached, strict=True)]
        places, color = range(len(lengths)), _colour(series, place)
        if lying:
            axes.barh(
                places, lengths, left=starts, height=WIDTH, color=color, edgecolor=BACKGROUND, linewidth=1, zorder=2
            )
        else:
            axes.bar(
                places, lengths, bottom=starts, width=WIDTH, color=color, edgecolor=BACKGROUND, linewidth=1, zorder=2
            )
        reached = [_reach(pile, length) for pile, length in zip(reached, lengths, strict=True)]
    return reached


def _reach(pile: tuple[float, float], length: float) -> tuple[float, float]:
    low, high = pile
    return (low + length, high) if length < 0 else (low, high + length)


def _bound(axes: Axes, reached: list[tuple[float, float]], lying: bool) -> None:
    low, high = min(low for low, _ in reached), max(high for _, high in reached)
    span = (high - low) or 1.0
    bounds = (low - 0.05 * span if low < 0 else 0.0, high + 0.06 * span)
    (axes.set_xlim if lying else axes.set_ylim)(*bounds)


def _is_one_sided(reached: list[tuple[float, float]]) -> bool:
    return all(low == 0 for low, _ in reached)


def _total_text(data: ChartData, place: int, locale: Locale) -> str:
    known = [value for series in data.series if (value := series.values[place]) is not None]
    return write_cell(sum(known, Decimal(0)), data.column, locale, compact=True) if known else ""


def _write_totals(axes: Axes, reached: list[tuple[float, float]], texts: list[str], lying: bool) -> None:
    for place, ((_, end), text) in enumerate(zip(reached, texts, strict=True)):
        if not text:
            continue
        if lying:
            write(axes, (end, place), text, move=(4, 0), ha="left", va="center")
        else:
            write(axes, (place, end), text, move=(0, 4), ha="center", va="bottom")


def _colour(series: Series, place: int) -> str:
    return colour(place, is_other=series.is_other)
