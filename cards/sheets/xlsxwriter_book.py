"""Workbooks of long results, by XlsxWriter: one row is in memory at a time, the file grows on the disk."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from cards.sheets.cells import FORMULA_STARTS, clean_text
from cards.sheets.pages import (
    CHART_HEIGHT_CM,
    CHART_WIDTH_CM,
    CODE_FONT,
    HEADER_COLOUR,
    TEXT_FONT,
    TEXT_POINTS,
    Book,
    ChartPlan,
    DrawnSeries,
    Page,
    Typed,
)

_STYLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "bold": {"bold": True},
    "code": {"font_name": CODE_FONT},
    "wrapped": {"text_wrap": True, "valign": "top", "align": "left"},
    "header": {
        "bold": True, "font_color": "#FFFFFF", "bg_color": f"#{HEADER_COLOUR}", "valign": "vcenter", "text_wrap": True,
    },
}  # fmt: skip
_LOOK = {"font_name": TEXT_FONT, "font_size": TEXT_POINTS}
_PIXELS_PER_CM = 96 / 2.54
# Other processors of the machine are not asked: the file is compressed as it is written.
_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "in_memory": False}
FormatKey: TypeAlias = tuple[str, str, bool]


def write_book(book: Book, path: Path, scratch: Path) -> None:
    """Write the file; its sheets lie in `scratch` until it is closed. Equal books give equal bytes. Blocking."""
    made = Workbook(str(path), {**_OPTIONS, "tmpdir": str(scratch)})
    made.use_zip64()
    formats = _Formats(made)
    try:
        sheets = [_write_page(made.add_worksheet(page.name), page, formats) for page in book.pages]
        if book.chart is not None:
            sheets[0].insert_chart(1, book.chart_column, _chart(made, book.chart))
        created = book.made_at.astimezone(UTC).replace(tzinfo=None)
        made.set_properties({"title": book.title, "author": book.creator, "created": created})
    finally:
        made.close()


class _Formats:
    """The formats of one workbook: as many as there are looks, not as there are cells."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._made: dict[FormatKey, Format] = {}

    def of(self, number_format: str, style: str, *, is_quoted: bool = False) -> Format:
        key = (number_format, style, is_quoted)
        if key not in self._made:
            look = {**_LOOK, **_STYLES[style], "num_format": number_format, "quote_prefix": is_quoted}
            self._made[key] = self._book.add_format(look)
        return self._made[key]


def _write_page(sheet: Worksheet, page: Page, formats: _Formats) -> Worksheet:
    start = 0
    if page.header:
        for column, label in enumerate(page.header):
            _write_text(sheet, 0, column, label, "header", formats)
        sheet.freeze_panes(1, 0)
        start = 1
    _write_rows(sheet, start, page.rows, formats)
    if page.is_filtered:
        sheet.autofilter(0, 0, page.count, max(len(page.header), 1) - 1)
    for column, width in enumerate(page.widths):
        sheet.set_column(column, column, width)
    return sheet


def _write_rows(sheet: Worksheet, start: int, rows: Iterable[tuple[Typed, ...]], formats: _Formats) -> None:
    for row, cells in enumerate(rows, start):
        for column, (value, number_format, style) in enumerate(cells):
            match value:
                case str():
                    _write_text(sheet, row, column, value, style, formats)
                case bool():
                    sheet.write_boolean(row, column, value, formats.of(number_format, style))
                case int() | float() | Decimal():
                    sheet.write_number(row, column, value, formats.of(number_format, style))
                case datetime() | date():
                    sheet.write_datetime(row, column, value, formats.of(number_format, style))
                case None if number_format != "General":
                    sheet.write_blank(row, column, None, formats.of(number_format, style))
                case None:
                    pass


def _write_text(sheet: Worksheet, row: int, column: int, text: str, style: str, formats: _Formats) -> None:
    look = formats.of("@", style, is_quoted=text.startswith(FORMULA_STARTS))
    clean = clean_text(text)
    if clean:
        sheet.write_string(row, column, clean, look)
    else:
        sheet.write_blank(row, column, None, look)


def _chart(book: Workbook, plan: ChartPlan) -> Chart:
    chart = book.add_chart(_shape(plan))
    for series in plan.series:
        chart.add_series(_series(plan, series, is_line=plan.shape == "line"))
    chart.set_title({"name": plan.title, "overlay": False})
    chart.set_size({"width": round(CHART_WIDTH_CM * _PIXELS_PER_CM), "height": round(CHART_HEIGHT_CM * _PIXELS_PER_CM)})
    if plan.shape != "pie":
        # What is called the category axis of lying bars stands on the left and runs from below.
        chart.set_x_axis({"reverse": plan.shape == "lying"})
        chart.set_y_axis({"num_format": plan.number_format})
    if not plan.has_legend:
        chart.set_legend({"none": True})
    if plan.line is not None:
        chart.combine(_line(book, plan, plan.line))
    return chart


def _shape(plan: ChartPlan) -> dict[str, str]:
    kind = {"upright": "column", "lying": "bar"}.get(plan.shape, plan.shape)
    return {"type": kind, "subtype": "stacked"} if plan.is_stacked else {"type": kind}


def _line(book: Workbook, plan: ChartPlan, series: DrawnSeries) -> Chart:
    line = book.add_chart({"type": "line"})
    line.add_series({**_series(plan, series, is_line=True), "y2_axis": True})
    line.set_y2_axis({"num_format": plan.line_format})
    return line


def _series(plan: ChartPlan, series: DrawnSeries, *, is_line: bool) -> dict[str, Any]:
    cells = {
        "name": [plan.page, 0, series.column],
        "categories": [plan.page, 1, 0, plan.categories, 0],
        "values": [plan.page, 1, series.column, plan.categories, series.column],
    }
    if series.slices:
        points = [{"fill": {"color": f"#{colour}"}} for colour in series.slices]
        return {**cells, "points": points, "data_labels": {"percentage": True}}
    if is_line:
        return {**cells, "line": {"color": f"#{series.colour}", "dash_type": "dash" if series.is_dashed else "solid"}}
    return {**cells, "fill": {"color": f"#{series.colour}"}, "gap": 60}
