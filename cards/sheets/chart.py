"""The answer's chart as the spreadsheet draws it, alive and editable: its cells, and how they are drawn."""

from dataclasses import replace
from decimal import Decimal
from typing import Literal

from agent.values.result import ChartSpec, ResultColumn
from agent.values.spec import ChartKind
from agent.wording.texts import say
from cards.charts.data import ChartData, Series
from cards.charts.style import colour
from cards.sheets.cells import number_format, typed_number
from cards.sheets.pages import ChartPlan, DrawnSeries, Page, Typed, counted
from semantic_catalog.model import Locale

CATEGORY_WIDTH, SERIES_WIDTH = 30, 18


def chart_page(name: str, data: ChartData, locale: Locale) -> Page:
    """A row per category in drawing order, a column per series and two per interval: exactly what is pictured."""
    shown = drawn_series(data, locale)
    rows = (
        (Typed(category), *(_typed(series.values[place], series.column or data.column, locale) for series in shown))
        for place, category in enumerate(data.categories)
    )
    widths = (CATEGORY_WIDTH, *(SERIES_WIDTH for _ in shown))
    return counted(name, rows, widths, ("", *(series.name for series in shown)))


def chart_plan(page: str, spec: ChartSpec, kind: ChartKind, data: ChartData, locale: Locale) -> ChartPlan:
    """A chart over the cells of that page. A treemap, which files of this kind cannot hold, is drawn as lying bars."""
    shown = drawn_series(data, locale)
    plan = ChartPlan(
        page=page,
        shape=_shape(kind),
        title=spec.title,
        series=tuple(_drawn(place, series, kind, data) for place, series in enumerate(shown)),
        categories=len(data.categories),
        number_format=number_format(data.column, locale),
        is_stacked=kind == "stacked" or (kind == "area" and len(shown) > 1),
        has_legend=kind == "pie" or len(shown) > 1,
    )
    return _with_line(plan, data, locale) if kind == "combo" else plan


def drawn_series(data: ChartData, locale: Locale) -> tuple[Series, ...]:
    """The series of a chart, then the bounds of its intervals as series of their own."""
    bounds = [
        replace(bound, name=say(locale, f"chart.interval_{end}", level=band.level))
        for band in data.bands
        for end, bound in (("low", band.low), ("high", band.high))
    ]
    return (*data.series, *bounds)


def _shape(kind: ChartKind) -> Literal["line", "area", "upright", "lying", "pie"]:
    match kind:
        case "line" | "area" | "pie":
            return kind
        case "horizontal_bar" | "treemap":
            return "lying"
        case "bar" | "stacked" | "combo" | "table":
            return "upright"


def _drawn(place: int, series: Series, kind: ChartKind, data: ChartData) -> DrawnSeries:
    if kind == "pie":
        slices = tuple(_hex(colour(at, is_other=at == data.other)) for at in range(len(data.categories)))
        return DrawnSeries(column=place + 1, slices=slices)
    return DrawnSeries(
        column=place + 1,
        colour=_hex(colour(place, is_other=series.is_other, is_previous=series.is_previous)),
        is_dashed=kind == "line" and (place >= len(data.series) or series.is_forecast),
    )


def _with_line(plan: ChartPlan, data: ChartData, locale: Locale) -> ChartPlan:
    """Bars of the first series, and a line of the second against an axis on the right."""
    bars, line = (series.column or data.column for series in data.series)
    return replace(
        plan,
        series=(DrawnSeries(column=1, colour=_hex(colour(5))),),
        number_format=number_format(bars, locale),
        line=DrawnSeries(column=2, colour=_hex(colour(3))),
        line_format=number_format(line, locale),
    )


def _hex(written: str) -> str:
    return written.lstrip("#")


def _typed(value: Decimal | None, column: ResultColumn, locale: Locale) -> Typed:
    return Typed(None) if value is None else typed_number(value, column, locale)
