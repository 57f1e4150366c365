from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from agent.values.outcome import Answer
from agent.values.result import Cell, ResultColumn, ResultTable, Row
from cards.sheets.xlsxwriter_book import write_book
from cards.workbook import workbook_of, write_long_workbook, write_workbook
from tests.fakes.stores import HeldRows
from tests.gallery.pieces import pieces
from tests.unit.agent.analysis.cases import Case
from tests.unit.agent.analysis.results import dimension, metric, spec, table, time
from tests.unit.cards.test_workbook import AT, HOSTILE, NAMES, answer_to, case_named, charts_of, texts_of

LIMA = ZoneInfo("America/Lima")
COLUMNS = (
    time("month"),
    dimension("merchant"),
    metric("processed_amount"),
    metric("approval_rate"),
    metric("transactions"),
    ResultColumn(name="p", label="Change", role="change", type="decimal", format="percent", points=True),
    ResultColumn(name="at", label="At", role="dimension", type="timestamp"),
    ResultColumn(name="any", label="=Any", role="other", type="text"),
)
CELLS: tuple[Cell, ...] = (
    *HOSTILE, "", " kept ", "line\nline", "crlf\r\nline", "_x0041_", "a\x00b\x1f\ufffe", "\U0001f600" * 20_000,
    "x" * 40_000,
    None, True, False, 0, -7, 5.0, 0.1, 1e300, float("nan"), float("inf"), 12345678901234567890, 10**15 - 1, 10**15,
    Decimal("1.50"), Decimal("1E+3"), Decimal("NaN"), Decimal("12345678901234567.89"),
    date(1900, 1, 1), date(1900, 2, 28), date(1900, 3, 1), date(1899, 12, 31), date(1, 1, 1), date(9999, 12, 31),
    datetime(2026, 10, 31, 23, 59, 59, tzinfo=LIMA), datetime(2026, 10, 31, 1, tzinfo=UTC),
    datetime(1800, 1, 1, tzinfo=UTC),
)  # fmt: skip


def read(book: Workbook) -> dict[str, list[Any]]:
    """Every cell of every sheet with all that a reader sees of it."""
    return {
        sheet.title: [
            (cell.coordinate, cell.value, cell.data_type, cell.number_format, cell.quotePrefix, cell.font.b,
             cell.font.name, colour(cell.font.color), cell.fill.fgColor.rgb,
             cell.alignment.wrap_text, cell.alignment.vertical)
            for row in sheet.iter_rows() for cell in row
            if cell.value is not None or cell.number_format != "General"
        ]
        for sheet in book.worksheets
    }  # fmt: skip


def colour(of_font: Any) -> str:
    return of_font.rgb if of_font is not None and isinstance(of_font.rgb, str) else "automatic"


def widths(sheet: Any) -> list[float]:
    spans = [(each.min, each.max, each.width) for _, each in sorted(sheet.column_dimensions.items())]
    return [width for first, last, width in spans for _ in range(first, last + 1)]


def frames(book: Workbook) -> list[Any]:
    return [(sheet.freeze_panes, sheet.auto_filter.ref, widths(sheet)) for sheet in book.worksheets]


def both(answer: Answer, rows: ResultTable, folder: Path) -> tuple[Workbook, Workbook]:
    write_long_workbook(answer, rows, "Payments", AT, folder / "long.xlsx")
    short = load_workbook(BytesIO(write_workbook(answer, rows, "Payments", AT)))
    return short, load_workbook(folder / "long.xlsx")


def plain_answer() -> Answer:
    case = case_named("amount_by_channel")
    return replace(answer_to(case, case.table), chart=None)


def mixed(*cells: Cell) -> ResultTable:
    rows: list[Row] = [tuple(cell for _ in COLUMNS) for cell in cells]
    return table(COLUMNS, *rows)


def test_both_writers_write_every_kind_of_cell_alike(tmp_path: Path) -> None:
    rows = mixed(*CELLS)
    short, long = both(plain_answer(), rows, tmp_path)
    assert read(long) == read(short)
    assert frames(long) == frames(short)
    shown = [(p.title, p.creator, p.lastModifiedBy, p.created, p.modified) for p in (long.properties, short.properties)]
    assert shown[0] == shown[1]
    assert not [cell for cells in read(long).values() for cell in cells if cell[2] in ("f", "e")]


@pytest.mark.parametrize("name", NAMES)
def test_both_writers_write_every_case_alike_with_its_chart(name: str, tmp_path: Path) -> None:
    case = case_named(name)
    short, long = both(answer_to(case, case.table), case.table, tmp_path)
    assert read(long) == read(short)
    assert frames(long) == frames(short)
    assert [drawn(chart) for chart in charts_of(long)] == [drawn(chart) for chart in charts_of(short)]


def drawn(chart: Any) -> Any:
    cells = [(each.val.numRef.f, each.tx.strRef.f) for each in chart.series]
    series = [tuple(cell.replace("'", "").replace("$", "") for cell in pair) for pair in cells]
    return type(chart), getattr(chart, "grouping", None), getattr(chart, "type", None), series


@pytest.mark.parametrize("piece", pieces(), ids=lambda piece: piece.name)
def test_every_kind_of_picture_is_drawn_by_both_writers(piece: Any, tmp_path: Path) -> None:
    case = Case(name="piece", spec=spec("processed_amount"), table=piece.table)
    answer = replace(answer_to(case, piece.table), chart=piece.spec, locale=piece.locale)
    short, long = both(answer, piece.table, tmp_path)
    assert [drawn(chart) for chart in charts_of(long)] == [drawn(chart) for chart in charts_of(short)]


cells = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.decimals(),
    st.dates(), st.datetimes(timezones=st.sampled_from([UTC, LIMA])),
)  # fmt: skip


@given(st.lists(cells, min_size=1, max_size=6))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_cells_both_writers_write_them_alike(tmp_path: Path, found: list[Cell]) -> None:
    rows = mixed(*found)
    short, long = both(plain_answer(), rows, tmp_path)
    differing = [pair for pair in zip(read(long)["Data"], read(short)["Data"], strict=True) if pair[0] != pair[1]]
    assert not differing


def test_rows_that_do_not_fit_on_a_sheet_go_on_on_another_one_and_the_receipt_says_so(tmp_path: Path) -> None:
    case = case_named("amount_by_channel")
    rows = replace(case.table, rows=HeldRows(case.table.rows, piece=3))
    book = workbook_of(answer_to(case, case.table), rows, "Payments", AT, most=3)
    write_book(book, tmp_path / "split.xlsx", tmp_path)
    written = load_workbook(tmp_path / "split.xlsx")
    assert written.sheetnames[:3] == ["Data", "Data 2", "Receipt"]
    texts = [row[0].value for name in ("Data", "Data 2") for row in written[name].iter_rows(min_row=2)]
    assert texts == [row[0] for row in case.table.rows]
    assert written["Data 2"].freeze_panes == "A2"
    assert "4, on 2 sheets" in texts_of(written, "Receipt")
    assert len(charts_of(written)) == 1


def test_the_same_long_answer_gives_the_same_bytes_and_leaves_nothing_beside_them(tmp_path: Path) -> None:
    case = case_named("amount_by_month")
    for name in ("a", "b"):
        write_long_workbook(answer_to(case, case.table), case.table, "Payments", AT, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
