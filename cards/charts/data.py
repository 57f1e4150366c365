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


def read_chart_data(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """The numbers of a chart. Missing buckets are gaps, members are sorted by value, surplus ones are summed or cut.

    Raises `KeyError` when the spec names a column that the table does not have.
    """
    place = _place(spec.category, table)
    column = table.columns[place]
    raw = _pivoted(spec, table, locale) if spec.series else _plain(spec, table, locale)
    if column.role != "time":
        return _cut_series(_cut_categories(_sorted(raw, spec), spec, locale), spec, locale)
    return _cut_series(_over_time(raw, column.grain or "day", locale), spec, locale)


def _place(name: str, table: ResultTable) -> int:
    for place, column in enumerate(table.columns):
        if column.name == name:
            return place
    raise KeyError(name)


def _plain(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    places = [_place(name, table) for name in spec.values]
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
        Band(level=level, low=_series(_place(low, table), table), high=_series(_place(high, table), table))
        for low, high, level in spec.intervals
    )


def _pivoted(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    category, value = _place(spec.category, table), _place(spec.values[0], table)
    split = _place(spec.series or "", table)
    first_rows = {row[category]: row for row in reversed(table.rows)}
    keys = tuple(dict.fromkeys(row[category] for row in table.rows))
    cells = {(row[category], row[split]): as_number(row[value]) for row in table.rows}
    series = tuple(
        Series(
            name=_written(member, table.columns[split], locale),
            values=tuple(cells.get((key, member)) for key in keys),
        )
        for member in dict.fromkeys(row[split] for row in table.rows)
    )
    return _with_categories(spec, table, locale, tuple(first_rows[key] for key in keys), series, value)


def _with_categories(
    spec: ChartSpec, table: ResultTable, locale: Locale, rows: tuple[Row, ...], series: tuple[Series, ...], value: int
) -> ChartData:
    place = _place(spec.category, table)
    column = table.columns[place]
    return ChartData(
        categories=tuple(_written(row[place], column, locale) for row in rows),
        series=series,
        column=table.columns[value],
        starts=tuple(as_day(row[place]) or date.min for row in rows) if column.role == "time" else (),
    )


def _written(cell: Cell, column: ResultColumn, locale: Locale) -> str:
    return say(locale, "chart.no_member") if cell is None else write_cell(cell, column, locale)


def _over_time(data: ChartData, grain: TimeGrain, locale: Locale) -> ChartData:
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


def _sorted(data: ChartData, spec: ChartSpec) -> ChartData:
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


def _cut_categories(data: ChartData, spec: ChartSpec, locale: Locale) -> ChartData:
    most = _MOST.get(spec.kind, MAX_LYING // min(len(data.series), 2) or 1)
    total = len(data.categories)
    room = most + 1 if spec.kind == "pie" and spec.additive else most
    if total <= room:
        return data
    shown = _kept(data, tuple(range(most)))
    if not spec.additive:
        return replace(shown, note=say(locale, "chart.shown", shown=most, total=total))
    rest = tuple(range(most, total))
    return replace(
        shown,
        categories=(*shown.categories, say(locale, "chart.other", count=len(rest))),
        series=tuple(
            replace(short, values=(*short.values, _sum(long.values[place] for place in rest)))
            for short, long in zip(shown.series, data.series, strict=True)
        ),
        other=most,
    )


def _cut_series(data: ChartData, spec: ChartSpec, locale: Locale) -> ChartData:
    total = len(data.series)
    if total <= MAX_LINES:
        return data
    ranked = sorted(data.series, key=lambda series: _sum(series.values) or Decimal(0), reverse=True)
    other = _other_line(ranked[MAX_LINES - 1 :], locale)
    is_piled = spec.kind in ("stacked", "area")
    if spec.additive and (is_piled or _highest(other) <= SWAMPING * _highest(ranked[0])):
        return replace(data, series=(*ranked[: MAX_LINES - 1], other))
    note = say(locale, "chart.shown", shown=MAX_LINES, total=total)
    return replace(data, series=tuple(ranked[:MAX_LINES]), note=note)


def _other_line(rest: list[Series], locale: Locale) -> Series:
    return Series(
        name=say(locale, "chart.other", count=len(rest)),
        values=tuple(_sum(values) for values in zip(*(series.values for series in rest), strict=True)),
        is_other=True,
    )


def _highest(series: Series) -> Decimal:
    return max((value for value in series.values if value is not None), default=Decimal(0))


def _sum(values: Iterable[Decimal | None]) -> Decimal | None:
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known else None
