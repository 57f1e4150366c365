from dataclasses import replace
from typing import Any

import pytest

from agent.values.result import ChartSpec
from cards.build.plot import plot_of
from tests.unit.cards import samples
from tests.unit.cards.samples import WORDS

EN = WORDS["en"]
TABLE = samples.table(EN)
CATEGORY = TABLE.columns[0].name
VALUE = next(column.name for column in TABLE.columns if column.role == "metric")
SPEC = ChartSpec(kind="bar", category=CATEGORY, values=(VALUE,), title="By channel")


@pytest.mark.parametrize(
    ("kind", "drawn"), [("bar", "bar"), ("horizontal_bar", "lying"), ("line", "line"), ("area", "line")]
)
def test_a_plain_chart_says_its_numbers(kind: Any, drawn: str) -> None:
    plot = plot_of(replace(SPEC, kind=kind), TABLE, "en")
    assert plot is not None
    assert (plot.kind, plot.title) == (drawn, "By channel")
    assert len(plot.labels) == len(plot.series[0][1]) == len(TABLE.rows) - 1, "one has no number"


def test_a_share_is_said_in_percent() -> None:
    plot = plot_of(SPEC, TABLE, "en")
    assert plot is not None
    column = next(column for column in TABLE.columns if column.name == VALUE)
    scale = 100 if column.format == "percent" else 1
    place = TABLE.columns.index(column)
    said = sorted(value for value in plot.series[0][1] if value is not None)
    assert said == pytest.approx(sorted(float(row[place]) * scale for row in TABLE.rows if row[place] is not None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spec",
    [
        None,
        replace(SPEC, kind="treemap"),
        replace(SPEC, kind="combo"),
        replace(SPEC, kind="table"),
        replace(SPEC, intervals=(("low", "high", "95"),)),
        replace(SPEC, category="gone"),
    ],
)
def test_a_chart_that_says_more_stays_a_picture(spec: ChartSpec | None) -> None:
    assert plot_of(spec, TABLE, "en") is None


def test_a_pie_of_negative_parts_stays_a_picture() -> None:
    place = next(index for index, column in enumerate(TABLE.columns) if column.name == VALUE)
    rows = tuple((*row[:place], -1, *row[place + 1 :]) for row in TABLE.rows)
    assert plot_of(replace(SPEC, kind="pie"), replace(TABLE, rows=rows), "en") is None
