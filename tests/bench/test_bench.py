import json
from pathlib import Path

import pytest

from bot.demo.state import DomainData
from tests.bench.__main__ import measured
from tests.bench.measuring import Row, percentile, side_by_side
from tests.bench.report import report_of, table_of
from tests.bench.stage import Stage


async def test_every_row_is_measured_and_shown(
    fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path
) -> None:
    rows = await measured(
        Stage(control=fresh_database, cache=valkey_url, payments=payments.reader_url, out=tmp_path), repetitions=1
    )
    report = json.loads(json.dumps(report_of(rows)))
    names = [row["name"] for row in report["rows"]]
    assert names == [
        "turn: question → answer",
        "turn: question → answer, with its files",
        "turn: question → proposal",
        "turn: approval → answer",
        "turn 10 of a thread",
        "acknowledgement of a Slack event",
        "understanding a question",
        "understanding, wide catalog",
        "linking, wide catalog",
        "guard, a query that passes",
        "guard, an attack",
        "forecast of six months",
        "a CSV becomes a table",
    ]
    assert all(row["measured"]["p50"] > 0 for row in report["rows"])
    assert list(table_of(rows).columns[0].cells) == names


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
