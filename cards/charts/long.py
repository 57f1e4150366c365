"""What a chart shows of a long result: the same as of a short one, gathered piece by piece."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from heapq import nlargest
from itertools import pairwise

from agent.analysis.cells import as_day, as_number
from agent.values.result import Cell, ChartSpec, LongRows, ResultColumn, ResultTable, Row
from agent.wording.texts import say
from cards.charts.data import (
    MAX_LINES,
    ChartData,
    Series,
    cut_series,
    fewer_series,
    most_categories,
    over_time,
    place_of,
    plain,
    read_short,
    room_for,
    written,
)
from semantic_catalog.model import Locale

Columns = tuple[ResultColumn, ...]


def read_long(spec: ChartSpec, columns: Columns, rows: LongRows, locale: Locale) -> ChartData:
    """The numbers of a chart of a long result; blocking. Raises `KeyError` for a column that is not there."""
    table = ResultTable(columns=columns, rows=rows)
    category = place_of(spec.category, table)
    split = place_of(spec.series, table) if spec.series else None
    if columns[category].role == "time" and split is not None:
        return _lines(spec, table, locale)
    if columns[category].role == "time" or split is not None:
        # So many buckets, or members in cells, are few: the last row of each is what is drawn.
        return read_short(spec, replace(table, rows=_last_of_each(rows, category, split)), locale)
    return _members(spec, table, locale)


def _last_of_each(rows: LongRows, category: int, split: int | None) -> tuple[Row, ...]:
    found: dict[Hashable, Row] = {}
    for row in rows:
        found[row[category], None if split is None else row[split]] = row
    return tuple(found.values())


@dataclass(slots=True, kw_only=True)
class _Sized:
    """Rows by what their category is sorted by, as they pass: the largest, the first, and the sums of all."""

    most: int
    count: int = 0
    is_rising: bool = True
    newest: Decimal | None = None
    first: list[Row]
    largest: list[tuple[Decimal, Row]]
    sums: list[Decimal | None]

    def add(self, sized: list[tuple[Decimal, Row]], places: list[int]) -> None:
        sizes = [size for size, _ in sized]
        before = [self.newest, *sizes] if self.newest is not None else sizes
        self.is_rising = self.is_rising and all(low <= high for low, high in pairwise(before))
        self.newest = sizes[-1] if sizes else self.newest
        self.count += len(sizes)
        self.first += [row for _, row in sized[: self.most - len(self.first)]]
        self.largest = nlargest(self.most, [*self.largest, *sized], key=lambda pair: pair[0])
        for at, place in enumerate(places):
            known = [number for _, row in sized if (number := as_number(row[place])) is not None]
            if known:
                self.sums[at] = sum(known, self.sums[at] or Decimal(0))


def _members(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """Bars or slices: the first or the largest members, and the sum of the rest."""
    places = [place_of(name, table) for name in spec.values]
    leading = places[:1] if spec.kind == "combo" else places
    leading = [place for place in leading if not table.columns[place].name.endswith("_previous")]
    most = most_categories(spec, len(places))
    sized = _Sized(most=room_for(most, spec), first=[], largest=[], sums=[None for _ in places])
    assert table.long is not None
    for piece in table.long.pieces():
        sized.add(list(_sizes(piece, leading)), places)
    fits = sized.count <= room_for(most, spec)
    in_order = tuple(sized.first) if sized.is_rising and sized.count > 2 else tuple(row for _, row in sized.largest)
    shown = plain(spec, replace(table, rows=in_order if fits else in_order[:most]), locale)
    return cut_series(shown if fits else _with_rest(shown, sized, most, spec, locale), spec, locale)


def _sizes(piece: tuple[Row, ...], leading: list[int]) -> Iterator[tuple[Decimal, Row]]:
    for row in piece:
        known = [number for place in leading if (number := as_number(row[place])) is not None]
        if known:
            yield sum(known, Decimal(0)), row


def _with_rest(shown: ChartData, sized: _Sized, most: int, spec: ChartSpec, locale: Locale) -> ChartData:
    if not spec.additive:
        return replace(shown, note=say(locale, "chart.shown", shown=most, total=sized.count))
    rest = sized.count - most
    return replace(
        shown,
        categories=(*shown.categories, say(locale, "chart.other", count=rest)),
        series=tuple(
            replace(series, values=(*series.values, _rest(whole, series)))
            for series, whole in zip(shown.series, sized.sums, strict=True)
        ),
        other=most,
    )


def _rest(whole: Decimal | None, shown: Series) -> Decimal | None:
    return None if whole is None else whole - sum((value for value in shown.values if value is not None), Decimal(0))


def _lines(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """A line per member along time; of many members the largest, and the sum of the rest."""
    assert table.long is not None
    time, value = place_of(spec.category, table), place_of(spec.values[0], table)
    split = place_of(spec.series or "", table)
    totals, cells = _totals(table.long, time, split, value)
    ranked = list(totals)
    if len(ranked) > MAX_LINES:
        ranked.sort(key=lambda member: totals[member], reverse=True)
    kept, drawn = frozenset(ranked[: MAX_LINES - 1]), frozenset(ranked[:MAX_LINES])
    numbers: dict[tuple[Cell, Cell], Decimal | None] = {}
    rest: dict[Cell, Decimal] = {}
    for row in table.long:
        number, at, member = as_number(row[value]), row[time], row[split]
        if member in drawn:
            numbers[at, member] = number
        if member not in kept and number is not None:
            rest[at] = rest.get(at, Decimal(0)) + number
    series = [
        Series(name=written(m, table.columns[split], locale), values=tuple(numbers.get((at, m)) for at in cells))
        for m in ranked[:MAX_LINES]
    ]
    other = Series(
        name=say(locale, "chart.other", count=len(ranked) - MAX_LINES + 1),
        values=tuple(rest.get(at) for at in cells),
        is_other=True,
    )
    return _drawn(spec, table, cells, (*series, other), len(ranked), locale)


def _totals(rows: LongRows, time: int, split: int, value: int) -> tuple[dict[Cell, Decimal], tuple[Cell, ...]]:
    """What each member adds up to in time, and every value of time, each in the order of their first rows."""
    totals: dict[Cell, Decimal] = {}
    cells: dict[Cell, None] = {}
    for row in rows:
        cells.setdefault(row[time])
        number = as_number(row[value]) if as_day(row[time]) is not None else None
        totals[row[split]] = totals.get(row[split], Decimal(0)) + (number or Decimal(0))
    return totals, tuple(cells)


def _drawn(
    spec: ChartSpec, table: ResultTable, cells: tuple[Cell, ...], series: tuple[Series, ...], total: int, locale: Locale
) -> ChartData:
    column = table.columns[place_of(spec.category, table)]
    raw = ChartData(
        categories=tuple(written(at, column, locale) for at in cells),
        series=series,
        column=table.columns[place_of(spec.values[0], table)],
        starts=tuple(as_day(at) or date.min for at in cells),
    )
    data = over_time(raw, column.grain or "day", locale)
    shown, other = replace(data, series=data.series[:-1]), data.series[-1]
    return shown if total <= MAX_LINES else fewer_series(shown, other, total, spec, locale)
