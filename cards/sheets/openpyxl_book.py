"""Workbooks of short results, by openpyxl: the whole book is in memory."""

import re
from datetime import UTC
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.chart import AreaChart, BarChart, LineChart, PieChart, Reference
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.marker import DataPoint
from openpyxl.chart.series import Series as SheetSeries
from openpyxl.packaging.core import DocumentProperties
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.xml.constants import ARC_CORE
from openpyxl.xml.functions import tostring

from cards.sheets.cells import FORMULA_STARTS, clean_text
from cards.sheets.pages import (
    CHART_HEIGHT_CM,
    CHART_WIDTH_CM,
    CODE_FONT,
    HEADER_COLOUR,
    MARGIN,
    TEXT_FONT,
    TEXT_POINTS,
    Book,
    ChartPlan,
    DrawnSeries,
    Page,
    Style,
    Typed,
)

AnyChart = AreaChart | BarChart | LineChart | PieChart
SECOND_AXIS = 200
# How a file writes a control character; what only looks like one has to be told from it.
_ESCAPE = re.compile("(_x[0-9a-fA-F]{4}_)")
# The oldest time a zip entry can have: the file depends on the answer and on nothing else.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def book_bytes(book: Book) -> bytes:
    """The file. Equal books give equal bytes."""
    made = Workbook()
    del made["Sheet"]
    sheets = {page.name: _sheet(made.create_sheet(page.name), page) for page in book.pages}
    if book.chart is not None:
        first = sheets[book.pages[0].name]
        chart = _chart(sheets[book.chart.page], book.chart)
        first.add_chart(chart, f"{get_column_letter(book.chart_column + 1)}2")
    moment = book.made_at.astimezone(UTC).replace(tzinfo=None)
    properties = DocumentProperties(
        creator=book.creator, title=book.title, created=moment, modified=moment, lastModifiedBy=book.creator
    )
    return _saved(made, properties)


def _sheet(sheet: Worksheet, page: Page) -> Worksheet:
    start = 1
    if page.header:
        _put_header(sheet, page.header)
        start = 2
    for row, cells in enumerate(page.rows, start):
        for column, typed in enumerate(cells, start=1):
            _put(sheet, row, column, typed)
    if page.is_filtered:
        sheet.auto_filter.ref = f"A1:{get_column_letter(max(len(page.header), 1))}{page.count + 1}"
    for column, width in enumerate(page.widths, start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width + MARGIN
    return sheet


def _put_header(sheet: Worksheet, labels: tuple[str, ...]) -> None:
    for column, label in enumerate(labels, start=1):
        cell = _put(sheet, 1, column, Typed(label))
        cell.font, cell.fill = _font(bold=True, color="FFFFFFFF"), PatternFill("solid", fgColor=f"FF{HEADER_COLOUR}")
        cell.alignment = Alignment(vertical="center", wrap_text=True)
    sheet.freeze_panes = "A2"


def _put(sheet: Worksheet, row: int, column: int, typed: Typed) -> SheetCell:
    """Write one cell. Text stays text, whatever it begins with."""
    cell = sheet.cell(row=row, column=column)
    assert isinstance(cell, SheetCell)
    if isinstance(typed.value, str):
        _put_text(cell, typed.value)
    else:
        cell.value = typed.value
        cell.number_format = typed.format
    _put_style(cell, typed.style)
    return cell


def _font(name: str = TEXT_FONT, *, bold: bool = False, color: str | None = None) -> Font:
    return Font(name=name, sz=TEXT_POINTS, bold=bold, color=color)


def _put_text(cell: SheetCell, text: str) -> None:
    cell.number_format = "@"
    clean = clean_text(text)
    if not clean:
        return
    cell.value = _ESCAPE.sub(r"_x005F\1", clean)
    # Set after the value, which openpyxl would otherwise read as a formula or an error code.
    cell.data_type = "s"
    if text.startswith(FORMULA_STARTS):
        cell.quotePrefix = True


def _put_style(cell: SheetCell, style: Style) -> None:
    match style:
        case "bold":
            cell.font = _font(bold=True)
        case "code":
            cell.font = _font(name=CODE_FONT)
        case "wrapped":
            cell.alignment = Alignment(wrap_text=True, vertical="top", horizontal="left")
        case "plain":
            pass


def _chart(sheet: Worksheet, plan: ChartPlan) -> AnyChart:
    chart = _over(sheet, _of_shape(plan), plan, plan.series)
    chart.title, chart.width, chart.height = plan.title, CHART_WIDTH_CM, CHART_HEIGHT_CM
    if isinstance(chart, PieChart):
        chart.dataLabels = DataLabelList(showPercent=True, showVal=False, showSerName=False, showCatName=False)
        return chart
    _style_axes(chart, plan.number_format, is_lying=plan.shape == "lying")
    if not plan.has_legend:
        chart.legend = None
    return _with_line(sheet, chart, plan) if plan.line is not None and isinstance(chart, BarChart) else chart


def _with_line(sheet: Worksheet, bars: BarChart, plan: ChartPlan) -> BarChart:
    assert plan.line is not None
    line = LineChart()
    _over(sheet, line, plan, (plan.line,))
    _style_axes(line, plan.line_format, is_lying=False)
    line.y_axis.axId, line.y_axis.crosses = SECOND_AXIS, "max"
    bars += line
    return bars


def _over(sheet: Worksheet, chart: AnyChart, plan: ChartPlan, series: tuple[DrawnSeries, ...]) -> AnyChart:
    """The chart over the columns of the series, which lie side by side."""
    first, last = series[0].column + 1, series[-1].column + 1
    chart.add_data(
        Reference(sheet, min_col=first, max_col=last, min_row=1, max_row=plan.categories + 1), titles_from_data=True
    )
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=plan.categories + 1))
    for drawn, wanted in zip(chart.series, series, strict=True):
        _colour(chart, drawn, wanted)
    return chart


def _of_shape(plan: ChartPlan) -> AnyChart:
    match plan.shape:
        case "line":
            return LineChart()
        case "pie":
            return PieChart()
        case "area":
            area = AreaChart()
            area.grouping = "stacked" if plan.is_stacked else "standard"
            return area
        case "upright" | "lying":
            return _bars(plan)


def _bars(plan: ChartPlan) -> BarChart:
    chart = BarChart()
    chart.type = "bar" if plan.shape == "lying" else "col"
    chart.gapWidth = 60
    if plan.is_stacked:
        chart.grouping, chart.overlap = "stacked", 100
    return chart


def _colour(chart: AnyChart, drawn: SheetSeries, wanted: DrawnSeries) -> None:
    if isinstance(chart, PieChart):
        drawn.dPt = [_slice(place, colour) for place, colour in enumerate(wanted.slices)]
    elif isinstance(chart, LineChart):
        drawn.graphicalProperties.line.solidFill, drawn.smooth = wanted.colour, False
        if wanted.is_dashed:
            drawn.graphicalProperties.line.dashStyle = "dash"
    else:
        drawn.graphicalProperties.solidFill = wanted.colour


def _slice(place: int, colour: str) -> DataPoint:
    point = DataPoint(idx=place)
    point.graphicalProperties.solidFill = colour
    return point


def _style_axes(chart: AreaChart | BarChart | LineChart, number_format: str, *, is_lying: bool) -> None:
    # Without this, newer spreadsheets hide both axes.
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.number_format = number_format
    chart.y_axis.majorUnit = None
    if is_lying:
        chart.x_axis.scaling.orientation = "maxMin"


def _saved(book: Workbook, properties: DocumentProperties) -> bytes:
    """The file, written again with fixed times: openpyxl stamps the clock into it and into its zip entries."""
    draft, final = BytesIO(), BytesIO()
    book.save(draft)
    with ZipFile(draft) as source, ZipFile(final, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = tostring(properties.to_tree()) if name == ARC_CORE else source.read(name)
            target.writestr(ZipInfo(name, date_time=_ZIP_TIME), content, compress_type=ZIP_DEFLATED)
    return final.getvalue()
