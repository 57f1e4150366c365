"""What the columns of SQL that was written, not compiled, hold: told from the engine's names, types and cells."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from agent.analysis.cells import as_day
from agent.analysis.quantities import Quantity
from agent.values.result import Cell, ResultColumn, Row
from semantic_catalog.model import Domain, Locale, Names, TimeGrain

ColumnType = Literal["text", "integer", "decimal", "boolean", "date", "timestamp"]

# Parts of the engines' type names, for columns without a single value.
_TYPE_NAMES: tuple[tuple[ColumnType, tuple[str, ...]], ...] = (
    ("boolean", ("bool",)),
    ("timestamp", ("timestamp", "datetime")),
    ("date", ("date",)),
    ("integer", ("int", "long", "short", "tiny")),
    ("decimal", ("num", "dec", "float", "double", "real")),
)


class SeenCells:
    """What is to be known of the cells of a running statement: the first of each column, the days of its dates."""

    def __init__(self, described: Sequence[tuple[str, str]]) -> None:
        self.described = tuple(described)
        self._first: dict[int, Cell] = {}
        self._days: dict[int, set[date]] = {}

    def add(self, rows: Sequence[Row]) -> None:
        """Take more rows into account."""
        for place in range(len(self.described)):
            if place not in self._first:
                self._take_first(place, rows)
            if isinstance(self._first.get(place), date):
                days = (as_day(row[place]) for row in rows)
                self._days.setdefault(place, set()).update(day for day in days if day is not None)

    def type_of(self, place: int) -> ColumnType:
        """The type of the column's first value, else what the engine calls it."""
        return _type(self._first.get(place), self.described[place][1])

    def grain_of(self, place: int) -> TimeGrain:
        """The grain of a column of dates."""
        return _grain(self._days.get(place, set()))

    def _take_first(self, place: int, rows: Sequence[Row]) -> None:
        found = next((row[place] for row in rows if row[place] is not None), None)
        if found is not None:
            self._first[place] = found


def engine_columns(
    seen: SeenCells, domain: Domain, locale: Locale, quantities: Sequence[Quantity | None] = ()
) -> tuple[ResultColumn, ...]:
    """A column for each of the engine's (name, type) pairs, in order.

    A name of the catalog lends its label, never its format or unit: nothing proves that the SQL computes the metric
    of that name. Those come of `quantities`, what the statement is known to compute, place by place. The first column
    of dates is the time; other text and dates name the rows; numbers are `other`.
    """
    known = quantities if len(quantities) == len(seen.described) else (None,) * len(seen.described)
    columns = _columns(seen, domain, locale)
    return tuple(_written_as(column, quantity) for column, quantity in zip(columns, known, strict=True))


def _written_as(column: ResultColumn, quantity: Quantity | None) -> ResultColumn:
    if quantity is None or column.role != "other":
        return column
    return replace(column, format=quantity.format, unit=quantity.unit)


def _columns(seen: SeenCells, domain: Domain, locale: Locale) -> tuple[ResultColumn, ...]:
    types = [seen.type_of(place) for place in range(len(seen.described))]
    time = next((place for place, kind in enumerate(types) if kind in ("date", "timestamp")), None)
    labels = _labels(domain, locale)
    return tuple(
        ResultColumn(
            name=name,
            label=labels.get(name.lower(), _spoken(name)),
            role="time" if place == time else "other" if types[place] in ("integer", "decimal") else "dimension",
            type=types[place],
            grain=seen.grain_of(place) if place == time else None,
            reference="time" if place == time else name,
        )
        for place, (name, _) in enumerate(seen.described)
    )


def _type(first: Cell, engine_type: str) -> ColumnType:
    match first:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case Decimal() | float():
            return "decimal"
        case datetime():
            return "timestamp"
        case date():
            return "date"
        case str():
            return "text"
        case _:
            return _named_type(engine_type.lower())


def _named_type(engine_type: str) -> ColumnType:
    return next((kind for kind, parts in _TYPE_NAMES if any(part in engine_type for part in parts)), "text")


def _labels(domain: Domain, locale: Locale) -> dict[str, str]:
    named: list[tuple[str, Names]] = [
        *((metric.name, metric.names) for metric in domain.metrics),
        *((dimension.name, dimension.names) for dimension in domain.dimensions),
    ]
    return {name.lower(): names.in_locale(locale) for name, names in named}


def _spoken(name: str) -> str:
    """'avg_ticket' as 'Avg ticket'."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else name


def _grain(days: set[date]) -> TimeGrain:
    """The coarsest bucket whose first day every date is; days where that is in doubt."""
    if len(days) < 2:
        return "day"
    if all(day.day == 1 for day in days):
        months = {day.month for day in days}
        return "year" if months == {1} else "quarter" if months <= {1, 4, 7, 10} else "month"
    return "week" if all(day.weekday() == 0 for day in days) else "day"
