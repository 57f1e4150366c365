"""The numbers of a plain chart, for channels that draw charts themselves."""

from decimal import Decimal
from typing import Final

from agent.values.result import ChartSpec, ResultColumn, ResultTable
from cards.charts.data import ChartData, Series
from cards.charts.read import read_chart_data
from cards.elements import Plot, PlotKind
from semantic_catalog.model import Locale

MOST_POINTS: Final = 60
MOST_SERIES: Final = 6
_DRAWN: Final = frozenset({"line", "area", "bar", "horizontal_bar", "pie"})
_PERCENT: Final = 100


def plot_of(spec: ChartSpec | None, table: ResultTable, locale: Locale) -> Plot | None:
    """What the chart shows; None for no chart, and for one that says more than lines, bars or slices do."""
    if spec is None or spec.kind not in _DRAWN or spec.intervals or not _has_columns(spec, table):
        return None
    data = read_chart_data(spec, table, locale)
    if not _is_plain(data):
        return None
    values = tuple((series.name, _values(series, data.column)) for series in data.series)
    if spec.kind == "pie" and any(value is None or value < 0 for value in values[0][1]):
        return None
    return Plot(kind=_kind(spec), labels=data.categories, series=values, title=spec.title)


def _has_columns(spec: ChartSpec, table: ResultTable) -> bool:
    named = {spec.category, *spec.values, *((spec.series,) if spec.series else ())}
    return named <= {column.name for column in table.columns}


def _is_plain(data: ChartData) -> bool:
    return not data.is_empty and len(data.categories) <= MOST_POINTS and 1 <= len(data.series) <= MOST_SERIES


def _kind(spec: ChartSpec) -> PlotKind:
    match spec.kind:
        case "line" | "area":
            return "line"
        case "horizontal_bar":
            return "lying"
        case "pie":
            return "pie"
        case _:
            return "bar"


def _values(series: Series, column: ResultColumn) -> tuple[float | None, ...]:
    scale = _PERCENT if (series.column or column).format == "percent" else 1
    return tuple(None if value is None else float(Decimal(value) * scale) for value in series.values)
