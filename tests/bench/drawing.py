"""Rows: an answer's chart and workbook, and a long result's workbook, each beside its bare library."""

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import perf_counter

from agent.values.result import ChartSpec, ResultColumn, ResultTable
from agent.values.result import Row as Cells
from cards.chart import draw_chart
from cards.workbook import write_long_workbook, write_workbook
from tests.bench.bare_files import bare_chart, bare_workbook
from tests.bench.measuring import Row, no_collection, side_by_side
from tests.fakes.stores import HeldRows
from tests.unit.agent.analysis.results import dimension, metric, time
from tests.unit.cards.test_workbook import answer_to, case_named

SHORT_ROWS, LONG_ROWS, BARS = 500, 100_000, 8
COLUMNS: tuple[ResultColumn, ...] = (
    time("day"),
    dimension("merchant"),
    metric("processed_amount"),
    metric("transactions"),
    metric("approval_rate"),
    metric("average_ticket"),
    metric("fees"),
    ResultColumn(name="note", label="Note", role="other", type="text"),
)
_AT = datetime(2026, 11, 1, 15, tzinfo=UTC)
_LAST = date(2026, 10, 31)


async def drawing_rows(*, repetitions: int, long_rows: int = LONG_ROWS) -> list[Row]:
    """The three rows; the long one once, for it takes seconds."""
    with no_collection():
        return [
            await _row("a chart", f"{BARS} bars, PNG of 1024 × 600", *_charts(), "bare matplotlib", repetitions),
            await _row(
                "a workbook",
                f"{SHORT_ROWS} rows of 8 columns, with receipt, KPIs and formats",
                *_workbooks(),
                "bare openpyxl, write-only",
                repetitions,
            ),
            await _row(
                "a long workbook",
                f"{long_rows:,} rows of 8 columns, with receipt, KPIs and formats",
                *_long_workbooks(long_rows),
                "bare openpyxl, write-only",
                1,
            ),
        ]


async def _row(
    name: str, subject_is: str, subject: Callable[[], object], floor: Callable[[], object], floor_is: str, times: int
) -> Row:
    ours, bare = await side_by_side(
        lambda: _milliseconds(subject), lambda: _milliseconds(floor), warm_up=min(times - 1, 2), repetitions=times
    )
    return Row(
        name=name,
        subject_is=subject_is,
        times=tuple(ours),
        floor_is=f"{floor_is}, same rows: tests/bench/bare_files.py",
        floor_times=tuple(bare),
    )


async def _milliseconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    await asyncio.to_thread(work)
    return 1_000 * (perf_counter() - started)


def _charts() -> tuple[Callable[[], object], Callable[[], object]]:
    rows: tuple[Cells, ...] = tuple((f"Comercio {n}", Decimal(1_000 - n * 97)) for n in range(BARS))
    shown = ResultTable(columns=(dimension("merchant"), metric("fees")), rows=rows)
    spec = ChartSpec(kind="bar", category="merchant", values=("fees",), title="Fees by merchant")
    return lambda: draw_chart(spec, shown, "en"), lambda: bare_chart("Fees by merchant", rows)


def _workbooks() -> tuple[Callable[[], object], Callable[[], object]]:
    rows = _rows(SHORT_ROWS)
    case = case_named("amount_by_channel")
    answer = replace(answer_to(case, case.table), chart=None)
    header = tuple(column.label for column in COLUMNS)
    table = ResultTable(columns=COLUMNS, rows=rows)
    return lambda: write_workbook(answer, table, "Payments", _AT), lambda: bare_workbook(header, rows)


def _long_workbooks(count: int) -> tuple[Callable[[], object], Callable[[], object]]:
    rows = _rows(count)
    case = case_named("amount_by_channel")
    answer = replace(answer_to(case, case.table), chart=None)
    table = ResultTable(columns=COLUMNS, rows=HeldRows(rows))
    header = tuple(column.label for column in COLUMNS)

    def ours() -> None:
        with tempfile.TemporaryDirectory() as folder:
            write_long_workbook(answer, table, "Payments", _AT, Path(folder, "long.xlsx"))

    return ours, lambda: bare_workbook(header, rows)


def _rows(count: int) -> tuple[Cells, ...]:
    return tuple(
        (
            _LAST - timedelta(days=n // 1_000),
            f"Comercio {n % 1_000}",
            Decimal(n * 7_919 % 9_000_000) / 100,
            n % 977,
            Decimal(n % 100) / 100,
            Decimal(n % 1_000) / 8,
            float(n % 999) / 3,
            f"pedido {n}",
        )
        for n in range(count)
    )
