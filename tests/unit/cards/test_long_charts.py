from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from agent.analysis.chart_choice import choose_chart
from agent.analysis.kpis import compute_kpis
from agent.analysis.members import with_member_labels
from agent.analysis.narrate import narrate
from agent.analysis.verify import verify_result
from agent.values.result import ChartSpec, ResultTable, Row
from agent.values.spec import ChartKind
from cards.charts.read import read_chart_data
from tests.fakes.stores import HeldRows
from tests.unit.agent.analysis.cases import Case, cases
from tests.unit.agent.analysis.results import LATEST, TODAY, dimension, metric, payments, table, time

CASES = cases("en")
NAMES = tuple(case.name for case in CASES)


def long(rows: ResultTable) -> ResultTable:
    return replace(rows, rows=HeldRows(rows.rows, piece=3))


def all_that_is_said(case: Case, rows: ResultTable) -> tuple[object, ...]:
    verification = verify_result(rows, case.spec, payments(), len(rows.rows), False, TODAY, LATEST)
    kpis = compute_kpis(rows, case.spec, payments())
    chart = choose_chart(rows, case.spec, payments(), "en", "t", "s")
    drawn = read_chart_data(chart, rows, "en") if chart and chart.kind != "table" else None
    return verification, kpis, chart, drawn


@pytest.mark.parametrize("name", NAMES)
def test_a_result_read_in_pieces_is_checked_summed_up_and_drawn_as_one_read_whole(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    assert all_that_is_said(case, long(case.table)) == all_that_is_said(case, case.table)
    labelled = with_member_labels(long(case.table), payments(), "es")
    assert tuple(labelled.rows) == tuple(with_member_labels(case.table, payments(), "es").rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_headline_of_a_result_read_in_pieces_is_the_same_where_one_pass_can_tell(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    verification = verify_result(case.table, case.spec, payments(), len(case.table.rows), False, TODAY, LATEST)
    kpis = compute_kpis(case.table, case.spec, payments())
    said = [
        narrate(rows, case.spec, kpis, verification, payments(), "en", len(case.table.rows))
        for rows in (long(case.table), case.table)
    ]
    several_lines = case.table.columns[0].role == "time" and any(c.role == "dimension" for c in case.table.columns)
    assert (said[0].lead == said[1].lead) or several_lines


def merchants(order: list[int], gaps: bool = False) -> ResultTable:
    rows: list[Row] = [(f"M{n}", None if gaps and n % 7 == 0 else Decimal(n), Decimal(n) / 2) for n in order]
    return table((dimension("merchant"), metric("fees"), metric("processed_amount")), *rows)


@pytest.mark.parametrize("additive", [True, False])
@pytest.mark.parametrize("kind", ["bar", "horizontal_bar", "pie", "treemap", "combo"])
@pytest.mark.parametrize(
    "order", [list(range(40)), list(range(40, 0, -1)), [n * 17 % 41 for n in range(41)], [1] * 30, [5, 3, 4]]
)
@pytest.mark.parametrize("gaps", [True, False])
def test_members_of_a_long_result_are_ranked_cut_and_summed_alike(
    order: list[int], kind: ChartKind, additive: bool, gaps: bool
) -> None:
    spec = ChartSpec(kind=kind, category="merchant", values=("fees", "processed_amount"), additive=additive)
    rows = merchants(order, gaps)
    assert read_chart_data(spec, long(rows), "en") == read_chart_data(spec, rows, "en")


@pytest.mark.parametrize("additive", [True, False])
@pytest.mark.parametrize(("members", "kind"), [(3, "line"), (8, "line"), (9, "line"), (30, "line"), (30, "area")])
def test_lines_of_a_long_result_are_ranked_cut_and_summed_alike(members: int, kind: ChartKind, additive: bool) -> None:
    start = date(2026, 10, 1)
    rows: list[Row] = [
        (start + timedelta(days=day), f"M{n}", None if (day + n) % 5 == 0 else Decimal(n * 13 % 7 + day))
        for n in range(members)
        for day in (4, 0, 2, 9)
        if (n + day) % 11
    ]
    shown = table((time("day"), dimension("merchant"), metric("fees")), *rows, (None, "M1", Decimal(5)))
    spec = ChartSpec(kind=kind, category=shown.columns[0].name, values=("fees",), series="merchant", additive=additive)
    assert read_chart_data(spec, long(shown), "en") == read_chart_data(spec, shown, "en")
