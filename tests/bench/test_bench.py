import asyncio
import json
from datetime import datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook

from bot.demo.state import DomainData
from tests.bench.__main__ import measured
from tests.bench.deployment import deployment, question
from tests.bench.exporting import exported
from tests.bench.figures import document, record
from tests.bench.load import at_once, on_schedule
from tests.bench.loaded import approved, asked
from tests.bench.measuring import Row, percentile, side_by_side
from tests.bench.report import report_of, table_of
from tests.bench.stage import Stage
from tests.bench.subjects import SUBJECTS

WITH_PROCESSES = ("load", "export")
REPORT = {
    "machine": {"cores": 2, "gigabytes": 8, "python": "3.11.7", "system": "Linux"},
    "rows": [
        {
            "name": "turn", "subject": "by rules", "unit": "ms", "floor": "empty steps", "ratio": 1.5,
            "measured": {"p50": 90.4, "p95": 100.0, "p99": 1200.0},
            "floor_measured": {"p50": 60.0, "p95": 70.0, "p99": 80.0},
        },
        {
            "name": "file", "subject": "a CSV", "unit": "MB", "floor": None, "ratio": None,
            "measured": {"p50": 9.25, "p95": 9.25, "p99": 9.25}, "floor_measured": None,
        },
    ],
}  # fmt: skip


async def test_every_row_is_measured_and_shown(
    fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path
) -> None:
    on = Stage(control=fresh_database, cache=valkey_url, payments=payments.reader_url, out=tmp_path)
    rows = await measured(on, 1, [name for name in SUBJECTS if name not in WITH_PROCESSES])
    report = json.loads(json.dumps(report_of(rows)))
    names = [row["name"] for row in report["rows"]]
    assert names == [
        "turn: question → answer",
        "turn: question → answer, with its files",
        "turn: question → proposal",
        "turn: approval → answer",
        "turn 25 of a thread",
        "acknowledgement of a Slack event",
        "understanding a question",
        "understanding, wide catalog",
        "linking, wide catalog",
        "guard, a query that passes",
        "guard, an attack",
        "forecast of six months",
        "a CSV becomes a table",
        "a chart",
        "a workbook",
        "a long workbook",
    ]
    assert all(row["measured"]["p50"] > 0 for row in report["rows"])
    assert list(table_of(rows).columns[0].cells) == names


def test_a_long_result_is_answered_with_all_of_its_rows_in_little_memory(
    fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path
) -> None:
    on = Stage(control=fresh_database, cache=valkey_url, payments=payments.reader_url, out=tmp_path)
    found = exported(on, merchants=700, days=30)
    assert (found.rows, found.columns, found.has_chart) == (21_000, 8, True)
    assert found.peak_mb < 400
    book = load_workbook(found.workbook, read_only=True)
    rows = list(book["Data"].iter_rows(min_row=2, values_only=True))
    assert len({row[:2] for row in rows}) == 21_000
    assert {type(cell) for row in rows for cell in row} <= {datetime, str, int, float}
    [total] = [row[2] for row in book["KPIs"].iter_rows(values_only=True) if row[:2] == ("Total", "Transactions")]
    assert total == sum(row[3] for row in rows if isinstance(row[3], int))


async def test_people_are_answered_by_a_real_deployment_while_events_come_in(
    fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path
) -> None:
    on = Stage(control=fresh_database, cache=valkey_url, payments=payments.reader_url, out=tmp_path)
    async with deployment(on, "deployment") as running:
        await running.add_worker()
        assert await asked(running, 2) > 0
        assert await approved(running) > 0
        assert await running.statuses() == {"answered": 2}
        assert len(await on_schedule(running.ask, rate=20, seconds=0.2)) == 4
        await running.until_idle()
        assert len(await running.proposals()) == 4


def test_no_two_questions_of_a_run_are_the_same() -> None:
    assert len({question(number) for number in range(1_080)}) == 1_080


async def test_what_is_slow_does_not_hold_the_schedule_up_and_counts_from_its_due_instant() -> None:
    gate, begun = asyncio.Event(), []

    async def send() -> None:
        begun.append(1)
        if len(begun) == 3:
            gate.set()
        await gate.wait()

    times = await on_schedule(send, rate=100, seconds=0.03)
    assert len(begun) == 3
    assert times[0] > 19 > times[2]


async def test_so_many_are_at_it_at_once_and_everything_is_done() -> None:
    done: list[int] = []
    running = 0
    most = 0

    async def do(thing: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        done.append(thing)

    await at_once(range(10), do, side_by_side=3)
    assert (sorted(done), most) == (list(range(10)), 3)


def test_the_figures_of_a_run_take_the_place_of_those_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- measured: figures -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    document(REPORT, page)
    document(REPORT, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Before\n<!-- measured: figures -->\n\n2 cores, 8 GB, Python 3.11.7, Linux:\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert text.count("| turn | 90 | 100 | 1,200 | ms | 60 | 1.50 | by rules. Floor: empty steps |") == 1
    assert "| file | 9.25 | 9.25 | 9.25 | MB |  |  | a CSV |" in text
    assert "old" not in text


def test_the_history_keeps_every_run_with_the_newest_first(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# History\n<!-- newest first -->\n\n## before\n", encoding="utf-8")
    record(REPORT, page)
    text = page.read_text(encoding="utf-8")
    assert text.index("| turn | 90 ms | 1.50 |") < text.index("## before")
    assert "| file | 9.25 MB |  |" in text


@pytest.mark.parametrize(("percent", "expected"), [(50, 3.0), (95, 5.0), (99, 5.0), (20, 1.0), (1, 1.0)])
def test_a_percentile_is_one_of_the_times(percent: float, expected: float) -> None:
    assert percentile([5.0, 1.0, 4.0, 2.0, 3.0], percent) == expected


async def test_both_sides_are_measured_as_often_and_the_warm_up_is_not_kept() -> None:
    order: list[str] = []

    async def subject() -> float:
        order.append("subject")
        return float(len(order))

    async def floor() -> float:
        order.append("floor")
        return float(len(order))

    times, floor_times = await side_by_side(subject, floor, warm_up=1, repetitions=4)
    assert (len(times), len(floor_times)) == (4, 4)
    assert order.count("subject") == order.count("floor") == 5
    assert min(*times, *floor_times) == 3.0


async def test_neither_side_always_goes_first() -> None:
    order: list[str] = []

    async def subject() -> float:
        order.append("subject")
        return 1.0

    async def floor() -> float:
        order.append("floor")
        return 1.0

    await side_by_side(subject, floor, warm_up=0, repetitions=2)
    assert set(order[::2]) == {"subject", "floor"}


def test_the_ratio_is_of_medians_and_absent_without_a_floor() -> None:
    assert Row(name="", subject_is="", times=(1.0, 4.0, 9.0), floor_times=(2.0, 1.0, 3.0)).ratio == 2.0
    assert Row(name="", subject_is="", times=(1.0,)).ratio is None
