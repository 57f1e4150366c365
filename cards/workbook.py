"""An answer as an Excel workbook: its rows, its chart, its receipt and its KPIs."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.values.outcome import Answer
from agent.values.result import ResultTable
from agent.wording.texts import say
from cards.charts.kind import drawable_kind
from cards.charts.read import read_chart_data
from cards.sheets.chart import chart_page, chart_plan
from cards.sheets.data import data_pages
from cards.sheets.kpis import kpi_page
from cards.sheets.openpyxl_book import book_bytes
from cards.sheets.pages import MOST_SHEET_ROWS, Book, ChartPlan, Page
from cards.sheets.receipt import receipt_page
from cards.sheets.report import report_page
from cards.sheets.xlsxwriter_book import write_book

PRODUCT = "Countersign"


def write_workbook(answer: Answer, table: ResultTable, domain_label: str, generated_at: datetime) -> bytes:
    """An XLSX with the sheets Data (and the chart), Receipt, KPIs, of a whole report its words, and a chart's data.

    Names and labels are in the answer's language. `generated_at` is aware. Text that looks like a formula is text.
    Equal arguments give equal bytes. Blocking, so call it off the event loop.
    """
    return book_bytes(workbook_of(answer, table, domain_label, generated_at))


def write_long_workbook(
    answer: Answer, table: ResultTable, domain_label: str, generated_at: datetime, path: Path
) -> None:
    """The same workbook into a file, of rows of which only a piece is in memory. Blocking, for a minute a million rows.

    More rows than a sheet holds go on on another one. Beside the file, its sheets lie on the disk uncompressed until
    it is finished.
    """
    with TemporaryDirectory(prefix="countersign-sheets-", dir=path.parent) as scratch:
        write_book(workbook_of(answer, table, domain_label, generated_at), path, Path(scratch))


def workbook_of(
    answer: Answer, table: ResultTable, domain_label: str, generated_at: datetime, most: int = MOST_SHEET_ROWS
) -> Book:
    """What the workbook holds, whoever writes it. `most` rows go on a sheet."""
    chart, chart_pages = _chart(answer, table)
    rows = data_pages(_name(answer, "data"), table, answer.locale, most)
    return Book(
        pages=(
            *rows,
            receipt_page(_name(answer, "receipt"), answer, domain_label, generated_at, len(rows)),
            kpi_page(_name(answer, "kpis"), answer),
            *_report(answer),
            *chart_pages,
        ),
        chart=chart,
        chart_column=len(table.columns) + 1,
        title=answer.receipt.title,
        creator=PRODUCT,
        made_at=generated_at,
    )


def _name(answer: Answer, sheet: str) -> str:
    return say(answer.locale, f"workbook.sheet_{sheet}")


def _report(answer: Answer) -> Iterator[Page]:
    if answer.report == "full":
        yield report_page(_name(answer, "report"), answer)


def _chart(answer: Answer, table: ResultTable) -> tuple[ChartPlan | None, tuple[Page, ...]]:
    spec = answer.chart
    if spec is None or spec.kind == "table":
        return None, ()
    data = read_chart_data(spec, table, answer.locale)
    if data.is_empty:
        return None, ()
    page = chart_page(_name(answer, "chart"), data, answer.locale)
    return chart_plan(page.name, spec, drawable_kind(spec.kind, data), data, answer.locale), (page,)
