"""Axes of numbers and of time, written in the reader's locale."""

from datetime import date
from decimal import Decimal

from babel.dates import format_date
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import MaxNLocator

from agent.values.result import ResultColumn
from agent.wording.dates import bucket
from agent.wording.numbers import amount, decimal, percent
from agent.wording.texts import say
from cards.charts.style import GRID, MUTED, font
from semantic_catalog.model import Locale, TimeGrain

MAX_DAY_TICKS = 8
MAX_MONTH_TICKS = 12
MAX_NARROW_TICKS = 7
MAX_NUMBER_TICKS = 6
# Name, power of ten, and from where it is used: four digits are still read at a glance.
_SCALES = (("billion", 9, 10**9), ("million", 6, 10**6), ("thousand", 3, 10**4))
_BABEL = {"en": "en_GB", "es": "es", "ru": "ru"}


def draw_number_axis(axes: Axes, column: ResultColumn, locale: Locale) -> None:
    """A left axis of a few round numbers with pale lines across."""
    _number(axes, column, locale)
    axes.yaxis.grid(True, color=GRID, linewidth=1, zorder=0)
    axes.set_axisbelow(True)


def draw_second_axis(axes: Axes, column: ResultColumn, locale: Locale) -> None:
    """A right axis of a few round numbers; the lines across are the left one's."""
    _number(axes, column, locale)
    axes.yaxis.grid(False)


def _number(axes: Axes, column: ResultColumn, locale: Locale) -> None:
    low, high = axes.get_ylim()
    locator = MaxNLocator(nbins=MAX_NUMBER_TICKS, steps=[1, 2, 2.5, 5, 10], integer=column.format == "count")
    ticks = [tick for tick in locator.tick_values(low, high) if low <= tick <= high]
    axes.yaxis.set_ticks(ticks, _numbers([Decimal(str(round(tick, 10))) for tick in ticks], column, locale))
    _style(axes.yaxis)


def draw_time_axis(
    axes: Axes, starts: tuple[date, ...], grain: TimeGrain, locale: Locale, is_narrow: bool = False
) -> None:
    """A bottom axis with as many buckets as fit, the year where it begins or changes."""
    most = MAX_MONTH_TICKS if grain in ("month", "year") else MAX_DAY_TICKS
    step = -(-len(starts) // (MAX_NARROW_TICKS if is_narrow else most))
    # Counted from the end, so that the newest bucket is always named.
    places = list(range((len(starts) - 1) % step, len(starts), step))
    axes.xaxis.set_ticks(places, _named(tuple(starts[place] for place in places), grain, locale))
    _style(axes.xaxis)


def _numbers(ticks: list[Decimal], column: ResultColumn, locale: Locale) -> list[str]:
    """All ticks in one scale and with the same few decimals."""
    if column.format == "percent":
        decimals = _decimals([tick * 100 for tick in ticks])
        return [percent(tick, locale, decimals) for tick in ticks]
    name, power = _scale(max((abs(tick) for tick in ticks), default=Decimal(0)))
    scaled = [tick.scaleb(-power) for tick in ticks]
    decimals = _decimals(scaled)
    return [_scaled(tick, name, column, locale, decimals) for tick in scaled]


def _scaled(tick: Decimal, name: str, column: ResultColumn, locale: Locale, decimals: int) -> str:
    number = decimal(tick, locale, decimals if tick else 0)
    written = say(locale, f"numbers.{name}", number=number) if name and tick else number
    if column.format not in ("amount", "decimal"):
        return written
    # The unit's place differs by language and unit: it is taken from how a plain zero is written.
    return amount(0, column.unit, locale).replace(decimal(0, locale), written)


def _scale(largest: Decimal) -> tuple[str, int]:
    return next(((name, power) for name, power, floor in _SCALES if largest >= floor), ("", 0))


def _decimals(ticks: list[Decimal]) -> int:
    return next((places for places in (0, 1) if all(tick == round(tick, places) for tick in ticks)), 2)


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
        label.set(fontproperties=font(11.5), color=MUTED, parse_math=False)
