"""The answer's chart as the spreadsheet draws it, alive and editable."""

from dataclasses import replace
from decimal import Decimal

from openpyxl.chart import AreaChart, BarChart, LineChart, PieChart, Reference
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.marker import DataPoint
from openpyxl.chart.series import Series as SheetSeries
from openpyxl.worksheet.worksheet import Worksheet

from agent.values.result import ChartSpec, ResultColumn
from agent.values.spec import ChartKind
from agent.wording.texts import say
from cards.charts.data import ChartData, Series
from cards.charts.style import colour
from cards.sheets.cells import Typed, number_format, put, put_header, set_width, typed_number
from semantic_catalog.model import Locale

AnyChart = AreaChart | BarChart | LineChart | PieChart
WIDTH_CM = 24
HEIGHT_CM = 12
CATEGORY_WIDTH = 30
SECOND_AXIS = 200


def write_chart_data(sheet: Worksheet, data: ChartData, locale: Locale) -> None:
    """A row per category in drawing order, a column per series and two per interval: exactly what is pictured."""
    shown = drawn_series(data, locale)
    put_header(sheet, ("", *(series.name for series in shown)))
    for place, category in enumerate(data.categories):
        put(sheet, place + 2, 1, Typed(value=category))
        for at, series in enumerate(shown, start=2):
            put(sheet, place + 2, at, _typed(series.values[place], series.column or data.column, locale))
    for at in range(1, len(shown) + 2):
        set_width(sheet, at, CATEGORY_WIDTH if at == 1 else 18)


def native_chart(sheet: Worksheet, spec: ChartSpec, kind: ChartKind, data: ChartData, locale: Locale) -> AnyChart:
    """A chart over the cells that `write_chart_data` wrote to `sheet`.

    A treemap, which files of this kind cannot hold, is drawn as lying bars.
    """
    if kind == "combo":
        return _combo(sheet, spec, data, locale)
    shown = drawn_series(data, locale)
    chart = _over(sheet, _of_kind(kind, len(shown)), data, 2, len(shown) + 1)
    chart.title, chart.width, chart.height = spec.title, WIDTH_CM, HEIGHT_CM
    _paint(chart, shown, data)
    if isinstance(chart, PieChart):
        chart.dataLabels = DataLabelList(showPercent=True, showVal=False, showSerName=False, showCatName=False)
    else:
        _style_axes(chart, data.column, locale, lying=kind in ("horizontal_bar", "treemap"))
        if len(shown) == 1:
            chart.legend = None
    return chart


def drawn_series(data: ChartData, locale: Locale) -> tuple[Series, ...]:
    """The series of a chart, then the bounds of its intervals as series of their own."""
    bounds = [
        replace(bound, name=say(locale, f"chart.interval_{end}", level=band.level))
        for band in data.bands
        for end, bound in (("low", band.low), ("high", band.high))
    ]
    return (*data.series, *bounds)


def _over(sheet: Worksheet, chart: AnyChart, data: ChartData, first: int, last: int) -> AnyChart:
    """The chart over the columns from `first` to `last`."""
    values = Reference(sheet, min_col=first, max_col=last, min_row=1, max_row=len(data.categories) + 1)
    chart.add_data(values, titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=len(data.categories) + 1))
    return chart


def _combo(sheet: Worksheet, spec: ChartSpec, data: ChartData, locale: Locale) -> BarChart:
    """Bars of the first series, and a line of the second against an axis on the right."""
    bars, line = BarChart(), LineChart()
    _over(sheet, bars, data, 2, 2)
    _over(sheet, line, data, 3, 3)
    bars.title, bars.width, bars.height, bars.gapWidth = spec.title, WIDTH_CM, HEIGHT_CM, 60
    for chart, series, place in ((bars, data.series[0], 5), (line, data.series[1], 3)):
        _style_axes(chart, series.column or data.column, locale, lying=False)
        _colour_series(chart, chart.series[0], colour(place).lstrip("#"))
    line.y_axis.axId, line.y_axis.crosses = SECOND_AXIS, "max"
    bars += line
    return bars


def _of_kind(kind: ChartKind, series: int) -> AnyChart:
    match kind:
        case "line":
            return LineChart()
        case "area":
            area = AreaChart()
            area.grouping = "stacked" if series > 1 else "standard"
            return area
        case "pie":
            return PieChart()
        case "bar" | "horizontal_bar" | "stacked" | "treemap" | "combo" | "table":
            return _bars(kind)


def _bars(kind: ChartKind) -> BarChart:
    chart = BarChart()
    chart.type = "bar" if kind in ("horizontal_bar", "treemap") else "col"
    chart.gapWidth = 60
    if kind == "stacked":
        chart.grouping, chart.overlap = "stacked", 100
    return chart


def _paint(chart: AnyChart, shown: tuple[Series, ...], data: ChartData) -> None:
    for place, (drawn, series) in enumerate(zip(chart.series, shown, strict=True)):
        hexed = colour(place, is_other=series.is_other, is_previous=series.is_previous).lstrip("#")
        if isinstance(chart, LineChart):
            _colour_series(chart, drawn, hexed)
            if place >= len(data.series) or series.is_forecast:
                drawn.graphicalProperties.line.dashStyle = "dash"
        elif isinstance(chart, PieChart):
            drawn.dPt = [_slice(at, at == data.other) for at in range(len(data.categories))]
        else:
            _colour_series(chart, drawn, hexed)


def _colour_series(chart: AnyChart, drawn: SheetSeries, hexed: str) -> None:
    if isinstance(chart, LineChart):
        drawn.graphicalProperties.line.solidFill, drawn.smooth = hexed, False
    else:
        drawn.graphicalProperties.solidFill = hexed


def _slice(place: int, is_other: bool) -> DataPoint:
    point = DataPoint(idx=place)
    point.graphicalProperties.solidFill = colour(place, is_other=is_other).lstrip("#")
    return point


def _style_axes(chart: AreaChart | BarChart | LineChart, column: ResultColumn, locale: Locale, lying: bool) -> None:
    # Without this, newer spreadsheets hide both axes.
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.number_format = number_format(column, locale)
    chart.y_axis.majorUnit = None
    if lying:
        chart.x_axis.scaling.orientation = "maxMin"


def _typed(value: Decimal | None, column: ResultColumn, locale: Locale) -> Typed:
    return Typed(value=None) if value is None else typed_number(value, column, locale)
