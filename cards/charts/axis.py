"""Axes of numbers and of time, written in the reader's locale."""

from datetime import date
from decimal import Decimal

from babel.dates import format_date
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import MaxNLocator

from agent.values.result import ResultColumn
from agent.wording.dates import bucket
from agent.wording.numbers import write_cell
from cards.charts.style import GRID, MUTED, font
from semantic_catalog.model import Locale, TimeGrain

MAX_TIME_TICKS = 8
MAX_NUMBER_TICKS = 6
_BABEL = {"en": "en_GB", "es": "es", "ru": "ru"}


def draw_number_axis(axes: Axes, column: ResultColumn, locale: Locale) -> None:
    """A left axis of a few round numbers with pale lines across."""
    low, high = axes.get_ylim()
    locator = MaxNLocator(nbins=MAX_NUMBER_TICKS, steps=[1, 2, 2.5, 5, 10], integer=column.format == "count")
    ticks = [tick for tick in locator.tick_values(low, high) if low <= tick <= high]
    axes.yaxis.set_ticks(ticks, [_number(tick, column, locale) for tick in ticks])
    axes.yaxis.grid(True, color=GRID, linewidth=1, zorder=0)
    axes.set_axisbelow(True)
    _style(axes.yaxis)


def draw_time_axis(axes: Axes, starts: tuple[date, ...], grain: TimeGrain, locale: Locale) -> None:
    """A bottom axis with at most `MAX_TIME_TICKS` buckets, the year where it begins or changes."""
    step = -(-len(starts) // MAX_TIME_TICKS)
    # Counted from the end, so that the newest bucket is always named.
    places = list(range((len(starts) - 1) % step, len(starts), step))
    axes.xaxis.set_ticks(places, _named(tuple(starts[place] for place in places), grain, locale))
    _style(axes.xaxis)


def _number(tick: float, column: ResultColumn, locale: Locale) -> str:
    return write_cell(Decimal(str(round(tick, 10))), column, locale, compact=True)


def _named(starts: tuple[date, ...], grain: TimeGrain, locale: Locale) -> list[str]:
    if grain in ("quarter", "year"):
        return [bucket(start, grain, locale) for start in starts]
    pattern = "LLL" if grain == "month" else "d MMM"
    names = []
    for place, start in enumerate(starts):
        name = format_date(start, pattern, locale=_BABEL[locale])
        is_new_year = place == 0 or starts[place - 1].year != start.year
        names.append(f"{name}\n{start.year}" if is_new_year else name)
    return names


def _style(axis: Axis) -> None:
    axis.set_tick_params(length=0, pad=8)
    for label in axis.get_ticklabels():
        label.set(fontproperties=font(10.5), color=MUTED, parse_math=False)
