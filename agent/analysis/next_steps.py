"""What the buttons of an answer do with its own rows and question: other charts, and one row or bar opened up."""

from dataclasses import replace
from datetime import date
from typing import get_args

from agent.analysis.cells import as_number
from agent.analysis.chart_choice import choose_chart
from agent.analysis.reading import Reading, read_result
from agent.analysis.suggest import other_splits
from agent.values.outcome import Drill
from agent.values.result import ChartSpec, ResultTable, Row
from agent.values.spec import ChartKind, MemberFilter, QuerySpec
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Domain, Locale

MOST_CHARTS = 4
MOST_DRILLS = 3


def other_charts(
    table: ResultTable, spec: QuerySpec, domain: Domain, locale: Locale, shown: ChartSpec | None, truncated: bool
) -> tuple[ChartKind, ...]:
    """At most four other kinds that these very rows can be drawn as; a table where there is a chart."""
    now = shown.kind if shown else "table"
    kinds: tuple[ChartKind, ...] = get_args(ChartKind)
    found = [
        kind for kind in kinds if kind not in (now, "table") and _draws(kind, table, spec, domain, locale, truncated)
    ]
    return (*found[: MOST_CHARTS - 1], *(("table",) if shown else ()))


def _draws(
    kind: ChartKind, table: ResultTable, spec: QuerySpec, domain: Domain, locale: Locale, truncated: bool
) -> bool:
    chart = choose_chart(table, replace(spec, chart=kind), domain, locale, "", "", truncated)
    return chart is not None and chart.kind == kind


def drills(table: ResultTable, spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[Drill, ...]:
    """At most three rows, the largest first, each split by the cheapest dimension that can still split it."""
    reading = read_result(table, spec, domain, locale)
    if len(reading.layout.dimensions) != 1 or not reading.layout.metrics or spec.calculation or spec.comparison:
        return ()
    [dimension] = reading.layout.dimensions
    name = next((each for each in spec.dimensions if each == dimension.column.reference), None)
    if name is None:
        return ()
    split = _split_of_one(name, spec, domain, locale, today)
    found: dict[str, Drill] = {}
    for row in _largest(reading) if split else ():
        value = row[dimension.value]
        if split and value is not None and len(found) < MOST_DRILLS:
            found.setdefault(str(value), _drill(name, str(value), reading.members(row), split, locale))
    return tuple(found.values())


def _largest(reading: Reading) -> list[Row]:
    place = reading.layout.metrics[0].value
    if reading.profile is not None:
        ends = (*reading.numbers(place).highest, *reading.numbers(place).lowest)
        return [point.row for point in sorted(ends, key=lambda point: abs(point.value), reverse=True)]
    numbered = [(number, row) for row in reading.table.rows if (number := as_number(row[place])) is not None]
    return [row for _, row in sorted(numbered, key=lambda item: abs(item[0]), reverse=True)]


def _split_of_one(
    name: DimensionName, spec: QuerySpec, domain: Domain, locale: Locale, today: date
) -> tuple[str, DimensionName] | None:
    """By what one member alone is split next, in words too; the same for every member."""
    found = next(other_splits(drilled(spec, name, "", None), domain, locale, today), None)
    return (found[0], found[1].dimensions[0]) if found else None


def _drill(name: DimensionName, value: str, label: str, split: tuple[str, DimensionName], locale: Locale) -> Drill:
    said = say(locale, "answer.drill", member=label, split=split[0])
    return Drill(label=said, dimension=name, value=value, by=split[1])


def drilled(spec: QuerySpec, name: DimensionName, value: str, by: DimensionName | None) -> QuerySpec:
    """The question about one member alone, split by another dimension, all of its rows."""
    others = tuple(item for item in spec.filters if item.dimension != name)
    kept = MemberFilter(dimension=name, values=(value,))
    return replace(
        spec,
        dimensions=(by,) if by else (),
        grain=None,
        filters=(*others, kept),
        having=(),
        order=(),
        limit=None,
        chart=None,
        entity=None,
        trusted_query=None,
    )
