"""An answer as an Excel workbook: its rows, its chart, its receipt and its KPIs."""

from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.packaging.core import DocumentProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.xml.constants import ARC_CORE
from openpyxl.xml.functions import tostring

from agent.values.outcome import Answer
from agent.values.result import ChartSpec, ResultTable
from agent.wording.texts import say
from cards.charts.kind import drawable_kind
from cards.charts.read import read_chart_data
from cards.sheets.chart import native_chart, write_chart_data
from cards.sheets.data import write_data
from cards.sheets.kpis import write_kpis
from cards.sheets.receipt import write_receipt
from cards.sheets.report import write_report

PRODUCT = "Countersign"
# The oldest time a zip entry can have: the file depends on the answer and on nothing else.
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def write_workbook(answer: Answer, table: ResultTable, domain_label: str, generated_at: datetime) -> bytes:
    """An XLSX with the sheets Data (and the chart), Receipt, KPIs, of a whole report its words, and a chart's data.

    Names and labels are in the answer's language. `generated_at` is aware. Text that looks like a formula is text.
    Equal arguments give equal bytes. Blocking, so call it off the event loop.
    """
    book = Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = _name(answer, "data")
    write_data(first, table, answer.locale)
    write_receipt(book.create_sheet(_name(answer, "receipt")), answer, domain_label, generated_at)
    write_kpis(book.create_sheet(_name(answer, "kpis")), answer)
    if answer.report == "full":
        write_report(book.create_sheet(_name(answer, "report")), answer)
    if answer.chart is not None and answer.chart.kind != "table":
        _add_chart(book, answer, answer.chart, table)
    return _saved(book, _properties(answer, generated_at))


def _name(answer: Answer, sheet: str) -> str:
    return say(answer.locale, f"workbook.sheet_{sheet}")


def _add_chart(book: Workbook, answer: Answer, spec: ChartSpec, table: ResultTable) -> None:
    data = read_chart_data(spec, table, answer.locale)
    if data.is_empty:
        return
    sheet = book.create_sheet(_name(answer, "chart"))
    write_chart_data(sheet, data, answer.locale)
    chart = native_chart(sheet, spec, drawable_kind(spec.kind, data), data, answer.locale)
    rows = book.worksheets[0]
    rows.add_chart(chart, rows.cell(row=2, column=len(table.columns) + 2).coordinate)


def _properties(answer: Answer, generated_at: datetime) -> DocumentProperties:
    moment = generated_at.astimezone(UTC).replace(tzinfo=None)
    return DocumentProperties(
        creator=PRODUCT, title=answer.receipt.title, created=moment, modified=moment, lastModifiedBy=PRODUCT
    )


def _saved(book: Workbook, properties: DocumentProperties) -> bytes:
    """The file, written again with fixed times: openpyxl stamps the clock into it and into its zip entries."""
    draft, final = BytesIO(), BytesIO()
    book.save(draft)
    with ZipFile(draft) as source, ZipFile(final, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = tostring(properties.to_tree()) if name == ARC_CORE else source.read(name)
            target.writestr(ZipInfo(name, date_time=_ZIP_TIME), content, compress_type=ZIP_DEFLATED)
    return final.getvalue()
