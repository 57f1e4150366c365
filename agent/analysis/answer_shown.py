"""Answers from the rows on screen: the largest of them, their total, how two differ, which fulfil a condition."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from agent.analysis.additive import is_additive_column
from agent.analysis.buckets import bucket_start
from agent.analysis.layout import MetricColumn
from agent.analysis.numbers_of import Point
from agent.analysis.reading import Reading
from agent.values.result import ResultColumn
from agent.values.spec import MemberFilter, Shown, Threshold
from agent.wording.numbers import percent, points, write_cell
from agent.wording.texts import say

MOST_LISTED = 12
_HOLDS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    "=": lambda value, limit: value == limit,
}


def answer_shown(asked: Shown, reading: Reading) -> tuple[str, ...]:
    """Sentences whose numbers are in the rows or a sum or difference of them; empty where the rows cannot tell."""
    metric = _column(asked, reading)
    if metric is None:
        return ()
    if asked.of == "change" and metric.change is not None:
        change = reading.table.columns[metric.change]
        column = replace(change, label=f"{metric.column.label}, {change.label}")
        metric = replace(metric, value=metric.change, column=column)
    rows = _Rows(reading=reading, metric=metric, points=_kept(asked, reading, metric))
    match asked.kind:
        case "extreme":
            return tuple(_extreme(rows, descending=asked.descending))
        case "difference":
            return tuple(_difference(rows, asked))
        case "total":
            return tuple(_total(rows))
        case "condition":
            return tuple(_condition(rows, asked.having))
        case "plan":
            return tuple(_plan(rows))
        case "count":
            return () if _is_cut(reading) else (rows.say("rows", count=len(reading.table.rows)),)
        case "summary":
            return ()


def _is_cut(reading: Reading) -> bool:
    """Whether there are more rows than were fetched."""
    spec = reading.spec
    return not reading.whole and spec is not None and not spec.keeps_few and not spec.having


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    reading: Reading
    metric: MetricColumn
    points: tuple[Point, ...]

    @property
    def column(self) -> ResultColumn:
        return self.metric.column

    def say(self, key: str, *, count: int | None = None, **params: str) -> str:
        return say(self.reading.locale, f"shown.{key}", count=count, metric=self.column.label, **params)

    def listed(self, points: Sequence[Point]) -> str:
        named = (f"{self.reading.name(p.row)} ({self.write(p.value)})" for p in points[:MOST_LISTED])
        return ", ".join((*named, *(("…",) if len(points) > MOST_LISTED else ())))

    def write(self, value: Decimal, *, signed: bool = False) -> str:
        if self.column.format == "percent" and signed:
            return points(value, self.reading.locale, True)
        return write_cell(value, self.column, self.reading.locale, compact=self.column.format == "amount")


def _column(asked: Shown, reading: Reading) -> MetricColumn | None:
    """The column that is asked about: of a plan the variance, of a condition its metric, else the one named."""
    if asked.kind == "plan":
        variances = {metric.name for metric in reading.domain.metrics if metric.view == "variance"}
        return next((m for m in reading.layout.metrics if m.column.name in variances), None)
    wanted = asked.having[0].metric if asked.having else asked.metric
    named = (m for m in reading.layout.metrics if wanted is None or m.column.name == wanted)
    return next(named, None)


def _kept(asked: Shown, reading: Reading, metric: MetricColumn) -> tuple[Point, ...]:
    found = reading.points(metric.value)
    return tuple(point for point in found if all(_is_of(point, item, reading) for item in asked.filters))


def _is_of(point: Point, item: MemberFilter, reading: Reading) -> bool:
    places = [d.value for d in reading.layout.dimensions if d.column.reference == item.dimension]
    return any(str(point.row[place]) in item.values for place in places)


def _extreme(rows: _Rows, *, descending: bool) -> Iterator[str]:
    ranked = sorted(rows.points, key=lambda point: point.value, reverse=descending)
    if not ranked:
        return
    key, name = "highest" if descending else "lowest", rows.reading.name
    first = [point for point in ranked if point.value == ranked[0].value]
    yield rows.say(key, name=", ".join(name(p.row) for p in first[:MOST_LISTED]), value=rows.write(ranked[0].value))
    others = ranked[len(first) :]
    if others:
        yield rows.say("next", name=name(others[0].row), value=rows.write(others[0].value))


def _difference(rows: _Rows, asked: Shown) -> Iterator[str]:
    pair = _pair(rows, asked)
    if pair is None:
        return
    one, other = pair
    difference = one.value - other.value
    yield rows.say(
        "difference",
        first=rows.reading.name(one.row),
        one=rows.write(one.value),
        second=rows.reading.name(other.row),
        other=rows.write(other.value),
        difference=rows.write(difference, signed=True),
    )
    if other.value > 0 and rows.column.format != "percent":
        yield rows.say("difference_pct", share=percent(difference / other.value, rows.reading.locale))


def _pair(rows: _Rows, asked: Shown) -> tuple[Point, Point] | None:
    """The two members in the order they were named, the first and last bucket of the period, or the first two rows."""
    reading, found = rows.reading, rows.points
    if asked.filters:
        [item] = asked.filters
        each = [[p for p in found if _is_of(p, replace(item, values=(value,)), reading)] for value in item.values]
        return (each[0][0], each[1][0]) if [len(points) for points in each] == [1, 1] else None
    if asked.period is not None and asked.period.start is not None and reading.grain is not None:
        ends = [bucket_start(day, reading.grain) for day in (asked.period.start, asked.period.end)]
        at = [[p for p in found if reading.start(p.row) == start] for start in ends]
        return (at[0][0], at[1][0]) if [len(points) for points in at] == [1, 1] and ends[0] != ends[1] else None
    return (found[0], found[1]) if len(found) > 1 else None


def _total(rows: _Rows) -> Iterator[str]:
    whole = rows.reading.whole and is_additive_column(rows.column, rows.reading.domain, rows.reading.spec)
    if not whole or not rows.points:
        return
    total = sum((point.value for point in rows.points), Decimal(0))
    yield rows.say("total", value=rows.write(total), count=len(rows.points))


def _condition(rows: _Rows, having: tuple[Threshold, ...]) -> Iterator[str]:
    places = {metric.column.name: metric.value for metric in rows.reading.layout.metrics}
    if any(item.metric not in places for item in having):
        return
    kept = [point for point in rows.points if all(_holds(point, item, places) for item in having)]
    yield rows.say("fulfil", list=rows.listed(kept), count=len(kept)) if kept else rows.say("none_fulfils")


def _holds(point: Point, item: Threshold, places: Mapping[str, int]) -> bool:
    value = point.row[places[item.metric]]
    return value is not None and _HOLDS[item.operator](Decimal(str(value)), item.value)


def _plan(rows: _Rows) -> Iterator[str]:
    over = [point for point in rows.points if point.value > 0]
    under = [point for point in rows.points if point.value < 0]
    for key, found in (("over_plan", over), ("under_plan", under)):
        yield rows.say(key, list=rows.listed(found), count=len(found)) if found else rows.say(f"none_{key}")
