"""What a chart shows: named series of numbers over categories, cut to what can be read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from agent.analysis.buckets import buckets_between
from agent.analysis.cells import as_day, as_number
from agent.values.result import Cell, ChartSpec, ResultColumn, ResultTable, Row
from agent.values.spec import ChartKind
from agent.wording.numbers import write_cell
from agent.wording.texts import say
from semantic_catalog.model import Locale, TimeGrain

Values = tuple[Decimal | None, ...]
MAX_LINES = 8
MAX_SLICES = 6
MAX_UPRIGHT = 12
MAX_LYING = 18
MAX_TILES = 24
_MOST: dict[ChartKind, int] = {
    "pie": MAX_SLICES,
    "bar": MAX_UPRIGHT,
    "stacked": MAX_UPRIGHT,
    "combo": MAX_UPRIGHT,
    "treemap": MAX_TILES,
}
# A line of all the rest that is so many times higher than the highest would press the others flat.
SWAMPING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One colour of a chart: a value per category, None where there is none.

    `column` tells how its numbers are written where that differs from the chart's.
    """

    name: str
    values: Values
    is_other: bool = False
    is_previous: bool = False
    is_forecast: bool = False
    column: ResultColumn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """An interval per category; `level` is its percentage, as digits."""

    level: str
    low: Series
    high: Series


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartData:
    """Categories in drawing order, with their series. `starts` are the buckets' first days when time is drawn.

    `column` tells how the numbers are written; `note` says what is not shown; `other` is the place of the category
    that sums up the rest.
    """

    categories: tuple[str, ...]
    series: tuple[Series, ...]
    column: ResultColumn
    grain: TimeGrain | None = None
    starts: tuple[date, ...] = ()
    note: str = ""
    other: int | None = None
    bands: tuple[Band, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is no number to draw."""
        return all(value is None for series in self.series for value in series.values)


def read_short(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """The numbers of a chart of rows that are all in memory. Raises `KeyError` for a column that is not there."""
    column = table.columns[place_of(spec.category, table)]
    raw = pivoted(spec, table, locale) if spec.series else plain(spec, table, locale)
    if column.role != "time":
        return cut_series(cut_categories(by_size(raw, spec), spec, locale), spec, locale)
    return cut_series(over_time(raw, column.grain or "day", locale), spec, locale)


def place_of(name: str, table: ResultTable) -> int:
    """The position of the column of that name. Raises `KeyError`."""
    for place, column in enumerate(table.columns):
        if column.name == name:
            return place
    raise KeyError(name)


def plain(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """A series per value column, a category per row."""
    places = [place_of(name, table) for name in spec.values]
    series = tuple(_series(place, table) for place in places)
    data = _with_categories(spec, table, locale, tuple(table.rows), series, places[0])
    return replace(data, bands=_bands(spec, table))


def _series(place: int, table: ResultTable) -> Series:
    column = table.columns[place]
    return Series(
        name=column.label,
        values=tuple(as_number(row[place]) for row in table.rows),
        is_previous=column.name.endswith("_previous"),
        is_forecast=column.name.endswith("_forecast"),
        column=column,
    )


def _bands(spec: ChartSpec, table: ResultTable) -> tuple[Band, ...]:
    return tuple(
        Band(level=level, low=_series(place_of(low, table), table), high=_series(place_of(high, table), table))
        for low, high, level in spec.intervals
    )


def pivoted(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """A series per member of the spec's `series`, a category per value of its `category`."""
    category, value = place_of(spec.category, table), place_of(spec.values[0], table)
    split = place_of(spec.series or "", table)
    first_rows = {row[category]: row for row in reversed(table.rows)}
    keys = tuple(dict.fromkeys(row[category] for row in table.rows))
    cells = {(row[category], row[split]): as_number(row[value]) for row in table.rows}
    series = tuple(
        Series(
            name=written(member, table.columns[split], locale),
            values=tuple(cells.get((key, member)) for key in keys),
        )
        for member in dict.fromkeys(row[split] for row in table.rows)
    )
    return _with_categories(spec, table, locale, tuple(first_rows[key] for key in keys), series, value)


def _with_categories(
    spec: ChartSpec, table: ResultTable, locale: Locale, rows: tuple[Row, ...], series: tuple[Series, ...], value: int
) -> ChartData:
    place = place_of(spec.category, table)
    column = table.columns[place]
    return ChartData(
        categories=tuple(written(row[place], column, locale) for row in rows),
        series=series,
        column=table.columns[value],
        starts=tuple(as_day(row[place]) or date.min for row in rows) if column.role == "time" else (),
    )


def written(cell: Cell, column: ResultColumn, locale: Locale) -> str:
    """A category or a member, in words."""
    return say(locale, "chart.no_member") if cell is None else write_cell(cell, column, locale)


def over_time(data: ChartData, grain: TimeGrain, locale: Locale) -> ChartData:
    """Every bucket from the first to the last, in order, with gaps where the result has none."""
    known = [start for start in data.starts if start != date.min]
    if not known:
        return replace(data, grain=grain)
    starts = buckets_between(min(known), max(known), grain)
    places = {start: place for place, start in enumerate(data.starts)}
    kept = tuple(places.get(start) for start in starts)
    column = ResultColumn(name="", label="", role="time", type="date", grain=grain)
    return replace(
        data,
        grain=grain,
        starts=starts,
        categories=tuple(write_cell(start, column, locale) for start in starts),
        series=tuple(_picked(series, kept) for series in data.series),
        bands=tuple(replace(b, low=_picked(b.low, kept), high=_picked(b.high, kept)) for b in data.bands),
    )


def _picked(series: Series, places: tuple[int | None, ...]) -> Series:
    return replace(series, values=tuple(None if place is None else series.values[place] for place in places))


def by_size(data: ChartData, spec: ChartSpec) -> ChartData:
    """Largest first, unless the result already runs from smallest to largest; without categories of no value."""
    leading = data.series[:1] if spec.kind == "combo" else data.series
    sizes = [_size(leading, place) for place in range(len(data.categories))]
    kept = [place for place, size in enumerate(sizes) if size is not None]
    rising = [sizes[place] or 0 for place in kept]
    if len(kept) < 3 or rising != sorted(rising):
        kept.sort(key=lambda place: sizes[place] or 0, reverse=True)
    return _kept(data, tuple(kept))


def _size(leading: tuple[Series, ...], place: int) -> Decimal | None:
    """What a category is sorted by: its first series, or all of them when they are members."""
    values = [series.values[place] for series in leading if not series.is_previous]
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known else None


def _kept(data: ChartData, places: tuple[int, ...]) -> ChartData:
    return replace(
        data,
        categories=tuple(data.categories[place] for place in places),
        series=tuple(_picked(series, places) for series in data.series),
    )


def most_categories(spec: ChartSpec, series: int) -> int:
    """How many categories a chart of so many series shows."""
    return _MOST.get(spec.kind, MAX_LYING // min(series, 2) or 1)


def room_for(most: int, spec: ChartSpec) -> int:
    """How many categories are shown before some are summed: one more where one would be summed alone."""
    return most + 1 if spec.kind == "pie" and spec.additive else most


def cut_categories(data: ChartData, spec: ChartSpec, locale: Locale) -> ChartData:
    """Not more categories than can be read: the rest is summed where it may be, else left out and said so."""
    most, total = most_categories(spec, len(data.series)), len(data.categories)
    if total <= room_for(most, spec):
        return data
    shown = _kept(data, tuple(range(most)))
    if not spec.additive:
        return replace(shown, note=say(locale, "chart.shown", shown=most, total=total))
    rest = tuple(range(most, total))
    return replace(
        shown,
        categories=(*shown.categories, say(locale, "chart.other", count=len(rest))),
        series=tuple(
            replace(short, values=(*short.values, sum_of(long.values[place] for place in rest)))
            for short, long in zip(shown.series, data.series, strict=True)
        ),
        other=most,
    )


def cut_series(data: ChartData, spec: ChartSpec, locale: Locale) -> ChartData:
    """Not more series than can be told apart: the rest is summed where it may be, else left out and said so."""
    if len(data.series) <= MAX_LINES:
        return data
    ranked = sorted(data.series, key=lambda series: sum_of(series.values) or Decimal(0), reverse=True)
    other = _other_line(ranked[MAX_LINES - 1 :], locale)
    return fewer_series(replace(data, series=tuple(ranked[:MAX_LINES])), other, len(ranked), spec, locale)


def fewer_series(data: ChartData, other: Series, total: int, spec: ChartSpec, locale: Locale) -> ChartData:
    """The largest series of `total`; `other` sums up all but the first of them, and is drawn where it may be."""
    ranked = data.series
    is_piled = spec.kind in ("stacked", "area")
    if spec.additive and (is_piled or _highest(other) <= SWAMPING * _highest(ranked[0])):
        return replace(data, series=(*ranked[: MAX_LINES - 1], other))
    return replace(data, note=say(locale, "chart.shown", shown=MAX_LINES, total=total))


def _other_line(rest: list[Series], locale: Locale) -> Series:
    return Series(
        name=say(locale, "chart.other", count=len(rest)),
        values=tuple(sum_of(values) for values in zip(*(series.values for series in rest), strict=True)),
        is_other=True,
    )


def _highest(series: Series) -> Decimal:
    return max((value for value in series.values if value is not None), default=Decimal(0))


def sum_of(values: Iterable[Decimal | None]) -> Decimal | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known else None
