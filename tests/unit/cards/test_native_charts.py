from dataclasses import replace
from typing import Any

import pytest
from openpyxl.chart import AreaChart, BarChart, LineChart

from cards.workbook import write_workbook
from tests.gallery.pieces import Piece, pieces
from tests.unit.cards.test_workbook import AT, answer_to, case_named, charts_of, opened

PIECES = {piece.name: piece for piece in pieces()}


def charts(piece: Piece) -> list[Any]:
    answer = replace(answer_to(case_named("amount_by_channel"), piece.table), chart=piece.spec, locale=piece.locale)
    book = opened(write_workbook(answer, piece.table, "Payments", AT))
    return charts_of(book)


@pytest.mark.parametrize("name", PIECES)
def test_every_chart_of_the_gallery_has_a_native_one(name: str) -> None:
    (chart,) = charts(PIECES[name])
    assert chart.series


@pytest.mark.parametrize(
    ("name", "kind", "grouping"),
    [
        ("stacked-members-en", BarChart, "stacked"),
        ("area-several-ru", LineChart, "standard"),
        ("area-rate-es", AreaChart, "standard"),
        ("bar-gaps", BarChart, "clustered"),
    ],
)
def test_parts_are_piled_in_the_workbook_too(name: str, kind: type[object], grouping: str) -> None:
    (chart,) = charts(PIECES[name])
    assert isinstance(chart, kind)
    assert chart.grouping == grouping  # type: ignore[attr-defined]  # every tested kind has it


def test_a_treemap_becomes_lying_bars() -> None:
    (chart,) = charts(PIECES["treemap-long-labels-es"])
    assert isinstance(chart, BarChart)
    assert chart.type == "bar"


def test_a_combo_has_bars_and_a_line_with_an_axis_of_its_own() -> None:
    (chart,) = charts(PIECES["combo-en"])
    bars, line = chart._charts
    assert (type(bars), type(line)) == (BarChart, LineChart)
    assert bars.y_axis.axId != line.y_axis.axId


def test_the_intervals_of_a_forecast_are_dashed_lines_with_their_names() -> None:
    piece = PIECES["forecast-es"]
    (chart,) = charts(piece)
    assert len(chart.series) == 6
    answer = replace(answer_to(case_named("amount_by_channel"), piece.table), chart=piece.spec, locale="es")
    sheet = opened(write_workbook(answer, piece.table, "Payments", AT))["Datos del gráfico"]
    assert [cell.value for cell in sheet[1]][3:5] == ["Intervalo del 95 %, mínimo", "Intervalo del 95 %, máximo"]
