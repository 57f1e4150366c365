from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook
from openpyxl.chart import BarChart, LineChart, PieChart
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from agent.analysis.chart_choice import choose_chart
from agent.analysis.kpis import compute_kpis
from agent.analysis.members import with_member_labels
from agent.analysis.narrate import narrate
from agent.analysis.verify import verify_result
from agent.values.governance import CheckedQuery
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import Answer, Receipt, ReceiptLine
from agent.values.result import ResultColumn, ResultId, ResultRef, ResultSample, ResultTable
from agent.wording.texts import say
from cards.workbook import write_workbook
from semantic_catalog.model import LOCALES, CatalogVersion, DomainName, Locale
from tests.unit.agent.analysis.cases import Case, cases
from tests.unit.agent.analysis.results import LATEST, TODAY, dimension, metric, payments, spec, table, time

AT = datetime(2026, 11, 1, 15, 2, tzinfo=UTC)
SQL = "SELECT\n  channel\nFROM semantic.v_daily_payment_metrics"
NAMES = tuple(case.name for case in cases("en"))
HOSTILE = ("=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "#N/A", "=cmd|' /C calc'!A0")


def case_named(name: str, locale: Locale = "en") -> Case:
    return next(case for case in cases(locale) if case.name == name)


def answer_to(case: Case, rows: ResultTable, locale: Locale = "en", truncated: bool = False) -> Answer:
    kpis = compute_kpis(rows, case.spec, payments(), locale)
    verification = verify_result(rows, case.spec, payments(), len(rows.rows), truncated, TODAY, LATEST, locale)
    return Answer(
        run=RunId("7F3K"),
        locale=locale,
        spec=case.spec,
        receipt=Receipt(title="=Approval rate", lines=(ReceiptLine(key="measure", value="approved ÷ all"),)),
        query=CheckedQuery(
            domain=DomainName("payments"),
            dialect="postgres",
            sql=SQL,
            sources=("semantic.v_daily_payment_metrics",),
            row_rules=(),
            row_limit=501,
            principal=PrincipalId("analyst"),
            catalog_version=CatalogVersion("c1"),
            fingerprint="5f1d",
            origin="compiled",
        ),
        approved_by="Ana",
        result=ResultRef(
            id=ResultId("r1"), run=RunId("7F3K"), columns=rows.columns, row_count=len(rows.rows), truncated=truncated,
            expires_at=AT,
        ),
        sample=ResultSample(columns=rows.columns, rows=tuple(rows.rows[:5])),
        narrative=narrate(rows, case.spec, kpis, verification, payments(), locale, len(rows.rows)),
        kpis=kpis,
        verification=verification,
        chart=choose_chart(rows, case.spec, payments(), locale, title="=Approval rate", source_line="Daily"),
        suggestions=(),
        source_label="Daily payment metrics",
        data_until="31 Oct 2026",
        seconds=0.4,
        timezone="America/Lima",
        assumptions=("Took sales as processed amount",),
        unused_words=("premium",),
    )  # fmt: skip


def opened(content: bytes) -> Workbook:
    return load_workbook(BytesIO(content))


def book_of(case: Case, locale: Locale = "en") -> Workbook:
    rows = with_member_labels(case.table, payments(), locale)
    return opened(write_workbook(answer_to(case, rows, locale), rows, "Payments", AT))


def charts_of(book: Workbook) -> list[Any]:
    sheet = book.worksheets[0]
    assert isinstance(sheet, Worksheet)
    return list(sheet._charts)  # type: ignore[attr-defined]  # the stubs know no private names


def texts_of(book: Workbook, sheet: str) -> list[object]:
    return [cell.value for row in book[sheet].iter_rows() for cell in row if cell.value is not None]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_case_opens_again_with_its_rows_and_localised_sheets(name: str, locale: Locale) -> None:
    case = case_named(name, locale)
    book = book_of(case, locale)
    wanted = [say(locale, f"workbook.sheet_{sheet}") for sheet in ("data", "receipt", "kpis")]
    assert book.sheetnames[:3] == wanted
    assert str(book.worksheets[0].auto_filter.ref).endswith(str(len(case.table.rows) + 1))
    assert [cell.value for cell in book.worksheets[0][1]] == [column.label for column in case.table.columns]


def test_header_is_frozen_and_filters() -> None:
    sheet = book_of(case_named("amount_by_channel")).worksheets[0]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:B5"


def test_cells_are_typed_and_formatted_by_their_column() -> None:
    columns = (
        time("month"),
        metric("processed_amount"),
        metric("approval_rate"),
        metric("transactions"),
        ResultColumn(name="p", label="Change", role="change", type="decimal", format="percent", points=True),
    )
    rows = table(columns, (date(2026, 10, 1), Decimal("1234.50"), 0.875, 42, -0.041), (None, None, None, None, None))
    case = Case(name="typed", spec=spec("processed_amount", grain="month"), table=rows)
    sheet = opened(write_workbook(answer_to(case, rows), rows, "Payments", AT)).worksheets[0]
    day, amount, rate, count, points = sheet[2]
    assert day.value == datetime(2026, 10, 1)  # noqa: DTZ001  # spreadsheets have no zones
    assert (day.number_format, day.is_date) == ("mmm yyyy", True)
    assert (amount.value, amount.number_format) == (1234.5, '"S/\xa0"#,##0.00')
    assert (rate.value, rate.number_format) == (0.875, "0.0%")
    assert (count.value, count.number_format) == (42, "#,##0")
    assert (points.value, points.number_format) == (-4.1, '0.0 "points"')
    assert [cell.value for cell in sheet[3]] == [None] * 5


def test_text_months_become_dates_and_long_identifiers_keep_every_digit() -> None:
    period = replace(time("month"), type="text")
    number = ResultColumn(name="id", label="Id", role="other", type="integer")
    rows = table((period, number), ("2026-10", 12345678901234567890))
    case = Case(name="ids", spec=spec("transactions", grain="month"), table=rows)
    sheet = opened(write_workbook(answer_to(case, rows), rows, "Payments", AT)).worksheets[0]
    assert sheet["A2"].value == datetime(2026, 10, 1)  # noqa: DTZ001  # spreadsheets have no zones
    assert sheet["B2"].value == "12345678901234567890"


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_looks_like_a_formula_stays_text(text: str) -> None:
    columns = (replace(dimension("merchant"), label=text), metric("processed_amount"))
    rows = table(columns, (text, 5.0), ("Wong", 3.0))
    case = Case(name="hostile", spec=spec("processed_amount", by=("merchant",)), table=rows)
    book = opened(write_workbook(answer_to(case, rows), rows, text, AT))
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert not [cell.coordinate for cell in cells if cell.data_type in ("f", "e")]
    shown = book.worksheets[0]["A2"]
    assert str(shown.value).strip() == text.strip()
    assert shown.data_type == "s"
    assert shown.quotePrefix == text.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_control_characters_and_endless_text_are_written_as_far_as_a_cell_allows() -> None:
    rows = table((dimension("merchant"), metric("processed_amount")), ("a\x00b\x1f" + "c" * 40_000, 5.0), ("Wong", 3.0))
    case = Case(name="long", spec=spec("processed_amount", by=("merchant",)), table=rows)
    value = opened(write_workbook(answer_to(case, rows), rows, "Payments", AT)).worksheets[0]["A2"].value
    assert str(value).startswith("abcc")
    assert len(str(value)) == 32_767


@pytest.mark.parametrize(
    ("name", "kind"),
    [("amount_by_channel", BarChart), ("rate_by_day", LineChart), ("rate_by_month_and_channel", LineChart),
     ("shares", PieChart), ("two_dimensions", BarChart)],
)  # fmt: skip
def test_native_chart_matches_the_picture(name: str, kind: type[object]) -> None:
    book = book_of(case_named(name))
    charts = charts_of(book)
    assert [type(chart) for chart in charts] == [kind]
    assert book.sheetnames[-1] == "Chart data"
    (chart,) = charts
    assert len(chart.series) == book["Chart data"].max_column - 1


def test_lying_bars_lie_in_the_workbook_too() -> None:
    (chart,) = charts_of(book_of(case_named("two_dimensions")))
    assert chart.type == "bar"


def test_single_figure_has_no_chart() -> None:
    book = book_of(case_named("single"))
    assert charts_of(book) == []
    assert len(book.sheetnames) == 3


def test_receipt_tells_question_sql_signature_run_sources_and_doubts() -> None:
    book = book_of(case_named("day_missing"))
    told = texts_of(book, "Receipt")
    for text in (*SQL.split("\n"), "=Approval rate", "approved ÷ all", "Ana", "7F3K", "31 Oct 2026", "premium",
                 "No data for 28 Oct 2026.", "Took sales as processed amount", "Payments", "5f1d",
                 "Daily payment metrics (semantic.v_daily_payment_metrics)"):  # fmt: skip
        assert text in told
    assert datetime(2026, 11, 1, 10, 2) in told  # noqa: DTZ001  # Lima's clock


def test_kpis_are_numbers_with_their_row() -> None:
    sheet = book_of(case_named("amount_by_channel"))["KPIs"]
    rows = {row[0]: row[1:] for row in sheet.iter_rows(min_row=2, values_only=True)}
    assert rows["Total"][:2] == ("Processed amount", 12412345.6)
    assert rows["Highest"][:3] == ("Processed amount", 6412000.5, "POS")
    assert rows["Number of rows"][1] == 4


def test_change_of_a_percentage_is_written_in_points() -> None:
    sheet = book_of(case_named("single_fell_in_points"))["KPIs"]
    (row,) = (row for row in sheet.iter_rows(min_row=2) if row[0].value == "Change")
    assert row[2].value == pytest.approx(-4.11)
    assert row[2].number_format == '0.0 "points"'
    assert row[4].value is None


def test_cut_result_says_so() -> None:
    case = case_named("amount_by_channel")
    answer = answer_to(case, case.table, truncated=True)
    told = texts_of(opened(write_workbook(answer, case.table, "Payments", AT)), "Receipt")
    assert "4 (cut: there are more)" in told


def test_same_answer_gives_the_same_bytes() -> None:
    case = case_named("amount_by_month")
    answer = answer_to(case, case.table)
    first, second = (write_workbook(answer, case.table, "Payments", AT) for _ in range(2))
    assert first == second
    assert {entry.date_time for entry in ZipFile(BytesIO(first)).infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert opened(first).properties.modified == datetime(2026, 11, 1, 15, 2)  # noqa: DTZ001  # stored without a zone


@pytest.mark.parametrize("locale", LOCALES)
def test_a_whole_report_has_a_sheet_with_its_summary_as_text(locale: Locale) -> None:
    case = case_named("members", locale) if "members" in NAMES else case_named(NAMES[0], locale)
    answer = answer_to(case, case.table, locale)
    told = replace(answer.narrative, summary=("=1+1", "Second line."))
    report = replace(answer, narrative=told, report="full")
    book = load_workbook(BytesIO(write_workbook(report, case.table, "Payments", AT)))
    sheet = book[say(locale, "workbook.sheet_report")]
    texts = [str(row[0].value) for row in sheet.iter_rows()]
    assert "Second line." in texts
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    assert (
        say(locale, "workbook.sheet_report")
        not in load_workbook(BytesIO(write_workbook(answer, case.table, "Payments", AT))).sheetnames
    )
