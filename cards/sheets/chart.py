"""The answer's chart as the spreadsheet draws it, alive and editable."""

from decimal import Decimal

from openpyxl.chart import BarChart, LineChart, PieChart, Reference
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.marker import DataPoint
from openpyxl.worksheet.worksheet import Worksheet

from agent.values.result import ChartSpec
from agent.values.spec import ChartKind
from cards.charts.data import ChartData
from cards.charts.style import colour
from cards.sheets.cells import Typed, number_format, put, put_header, set_width, typed_number
from semantic_catalog.model import Locale

AnyChart = BarChart | LineChart | PieChart
WIDTH_CM = 24
HEIGHT_CM = 12
CATEGORY_WIDTH = 30


def write_chart_data(sheet: Worksheet, data: ChartData, locale: Locale) -> None:
    """A row per category in drawing order, a column per series: exactly what the picture shows."""
    put_header(sheet, ("", *(series.name for series in data.series)))
    for place, category in enumerate(data.categories):
        put(sheet, place + 2, 1, Typed(value=category))
        for at, series in enumerate(data.series, start=2):
            put(sheet, place + 2, at, _typed(series.values[place], data, locale))
    for at in range(1, len(data.series) + 2):
        set_width(sheet, at, CATEGORY_WIDTH if at == 1 else 18)


def native_chart(sheet: Worksheet, spec: ChartSpec, kind: ChartKind, data: ChartData, locale: Locale) -> AnyChart:
    """A chart over the cells that `write_chart_data` wrote to `sheet`."""
    chart = _of_kind(kind)
    values = Reference(sheet, min_col=2, max_col=len(data.series) + 1, min_row=1, max_row=len(data.categories) + 1)
    chart.add_data(values, titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=len(data.categories) + 1))
    chart.title, chart.width, chart.height = spec.title, WIDTH_CM, HEIGHT_CM
    _paint(chart, data)
    if isinstance(chart, PieChart):
        chart.dataLabels = DataLabelList(showPercent=True, showVal=False, showSerName=False, showCatName=False)
    else:
        _style_axes(chart, data, locale, lying=kind == "horizontal_bar")
    return chart


def _of_kind(kind: ChartKind) -> AnyChart:
    match kind:
        case "line":
            return LineChart()
        case "pie":
            return PieChart()
        case "bar" | "horizontal_bar" | "table":
            chart = BarChart()
            chart.type = "bar" if kind == "horizontal_bar" else "col"
            chart.gapWidth = 60
            return chart


def _paint(chart: AnyChart, data: ChartData) -> None:
    for place, (drawn, series) in enumerate(zip(chart.series, data.series, strict=True)):
        hexed = colour(place, is_other=series.is_other, is_previous=series.is_previous).lstrip("#")
        if isinstance(chart, LineChart):
            drawn.graphicalProperties.line.solidFill, drawn.smooth = hexed, False
        elif isinstance(chart, PieChart):
            drawn.dPt = [_slice(at, at == data.other) for at in range(len(data.categories))]
        else:
            drawn.graphicalProperties.solidFill = hexed


def _slice(place: int, is_other: bool) -> DataPoint:
    point = DataPoint(idx=place)
    point.graphicalProperties.solidFill = colour(place, is_other=is_other).lstrip("#")
    return point


def _style_axes(chart: BarChart | LineChart, data: ChartData, locale: Locale, lying: bool) -> None:
    # Without this, newer spreadsheets hide both axes.
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.number_format = number_format(data.column, locale)
    chart.y_axis.majorUnit = None
    if lying:
        chart.x_axis.scaling.orientation = "maxMin"
    if len(data.series) == 1:
        chart.legend = None


def _typed(value: Decimal | None, data: ChartData, locale: Locale) -> Typed:
    return Typed(value=None) if value is None else typed_number(value, data.column, locale)
