"""What the payments domain has none of, on numbers worked out by hand and in every engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import psycopg
import pytest

from agent.errors import SpecNotCompilable
from agent.sql.compile.compile import render
from semantic_catalog.model import Dialect
from tests.contract.shop_mysql import HAS_SERVER
from tests.unit.agent.sql.compile.ledger import TABLES, TABLES_IN_MYSQL, days, ledger
from tests.unit.agent.sql.mariadb import mariadb_holding

OCTOBER = days("2026-10-01", "2026-10-31")
AUTUMN = days("2026-08-01", "2026-10-31")
Run = Callable[..., list[tuple[object, ...]]]
Fetch = Callable[[str], Sequence[tuple[object, ...]]]


@pytest.fixture(params=["postgres", "duckdb", *(["mysql"] if HAS_SERVER else [])])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    dialect: Dialect = request.param
    with _engine(dialect, request) as fetch:
        yield lambda **fields: _plain(fetch(render(ledger(dialect, **fields).tree, dialect)))


@contextmanager
def _engine(dialect: Dialect, request: pytest.FixtureRequest) -> Iterator[Fetch]:
    if dialect == "postgres":
        with psycopg.connect(request.getfixturevalue("empty_database")) as connection:
            connection.execute(TABLES.encode())
            yield lambda sql: connection.execute(sql.encode()).fetchall()
    elif dialect == "duckdb":
        with duckdb.connect() as engine:
            engine.execute(TABLES)
            yield lambda sql: engine.execute(sql).fetchall()
    else:
        request.getfixturevalue("services")
        with mariadb_holding(TABLES_IN_MYSQL) as fetch:
            yield fetch


def test_a_measure_may_read_a_joined_column(run: Run) -> None:
    assert run(metrics=["revenue", "cost"], period=OCTOBER) == [(138, 74)]


def test_a_dimension_of_a_related_entity_splits_without_losing_rows(run: Run) -> None:
    assert run(metrics=["revenue"], dimensions=["unit"], period=OCTOBER) == [
        ("Consumer", 130),
        (None, 8),
    ]


def test_a_part_without_rows_adds_nothing_to_a_derived_metric(run: Run) -> None:
    assert run(metrics=["margin", "margin_pct"], dimensions=["centre"], period=OCTOBER) == [
        ("A", 65, 0.5),
        (None, 8, 1),
        ("C", -9, None),
    ]


def test_a_derived_total_over_no_rows_is_no_row(run: Run) -> None:
    assert run(metrics=["margin"], period=days("2020-01-01", "2020-01-31")) == []


def test_arithmetic_of_a_derived_metric_keeps_its_order(run: Run) -> None:
    assert run(metrics=["half_margin"], period=OCTOBER) == [(-32,)]


def test_text_months_become_dates_and_quarters(run: Run) -> None:
    assert run(metrics=["revenue"], grain="month", period=AUTUMN) == [
        (date(2026, 8, 1), 150),
        (date(2026, 9, 1), 170),
        (date(2026, 10, 1), 138),
    ]
    assert run(metrics=["revenue"], grain="quarter", period=AUTUMN) == [
        (date(2026, 7, 1), 320),
        (date(2026, 10, 1), 138),
    ]


def test_weeks_start_on_monday_and_years_in_january(run: Run) -> None:
    assert run(metrics=["minutes"], grain="week", period=OCTOBER) == [
        (date(2026, 9, 28), 20),
        (date(2026, 10, 26), 40),
    ]
    assert run(metrics=["minutes"], grain="quarter", period=days("2026-09-30", "2026-11-01")) == [
        (date(2026, 7, 1), 99),
        (date(2026, 10, 1), 159),
    ]
    assert run(metrics=["revenue"], grain="year", period=AUTUMN) == [(date(2026, 1, 1), 458)]


def test_weeks_of_two_periods_meet(run: Run) -> None:
    before = {"kind": "named", "period": days("2026-09-28", "2026-10-04")}
    spec = {"metrics": ["minutes"], "grain": "week", "period": days("2026-10-26", "2026-11-01")}
    assert [row[:3] for row in run(**spec, comparison=before)] == [(date(2026, 10, 26), 139, 119)]


def test_members_left_out_do_not_take_rows_without_a_member_with_them(run: Run) -> None:
    left_out = [{"dimension": "centre", "values": ["A"], "include": False}]
    assert run(metrics=["postings"], filters=left_out, period=OCTOBER) == [(2,)]


def test_members_are_literals_of_their_column_type(run: Run) -> None:
    closed = [{"dimension": "open", "values": ["false"]}]
    assert run(metrics=["revenue"], filters=closed, period=AUTUMN) == [(100,)]
    kiosk = [{"dimension": "kiosk", "values": ["2", "3"]}]
    assert run(metrics=["minutes"], filters=kiosk, period=OCTOBER) == [(50,)]


def test_a_day_of_instants_is_a_day_in_the_zone_of_the_domain(run: Run) -> None:
    assert run(metrics=["minutes"], grain="day", period=OCTOBER) == [
        (date(2026, 10, 1), 20),
        (date(2026, 10, 31), 40),
    ]


def test_a_standing_filter_holds_unless_the_question_names_a_member(run: Run) -> None:
    assert run(metrics=["budget"], dimensions=["centre"], period=OCTOBER) == [("A", 150), ("B", 40)]
    draft = [{"dimension": "version", "values": ["1"]}]
    assert run(metrics=["budget"], dimensions=["centre"], filters=draft, period=OCTOBER) == [("A", 999)]


def test_a_member_without_a_figure_of_the_measure_makes_no_row(run: Run) -> None:
    assert run(metrics=["revenue"], dimensions=["centre"], period=OCTOBER) == [("A", 130), (None, 8)]


def test_members_are_compared_with_the_mean_of_all_where_a_metric_adds_up(run: Run) -> None:
    spec = {"metrics": ["revenue"], "dimensions": ["centre"], "period": OCTOBER}
    above = [{"metric": "revenue", "operator": ">", "value": "1", "against": "average"}]
    below = [{"metric": "revenue", "operator": "<", "value": "1", "against": "average"}]
    assert run(**spec, having=above) == [("A", 130)]
    assert run(**spec, having=below) == [(None, 8)]
    counted = {"kind": "count_members", "over": "centre"}
    assert run(metrics=["revenue"], period=OCTOBER, having=above, calculation=counted) == [(1,)]


def test_of_each_member_only_so_many_places_are_kept(run: Run) -> None:
    first = {"kind": "rank", "over": "line", "window": 1}
    order = [{"by": "line", "descending": False}, {"by": "postings", "descending": True}]
    spec = {"metrics": ["postings"], "dimensions": ["centre", "line"], "period": AUTUMN}
    every = run(**spec)
    most = {line: max(Decimal(str(row[2])) for row in every if row[1] == line) for line in {row[1] for row in every}}
    kept = run(**spec, calculation=first, order=order)
    assert {(row[1], row[2]) for row in kept} == set(most.items())
    assert {row[3] for row in kept} == {1}
    assert len(kept) < len(every)


def test_members_are_kept_by_how_their_figures_changed(run: Run) -> None:
    compared = {"kind": "previous_period", "period": days("2026-09-01", "2026-09-30")}
    spec = {"metrics": ["revenue"], "dimensions": ["centre"], "period": OCTOBER, "comparison": compared}
    grown = [{"metric": "revenue", "operator": ">", "value": "0.05", "of": "change_pct"}]
    assert [row[0] for row in run(**spec, having=grown)] == ["A"]
    fallen = [{"metric": "revenue", "operator": "<", "value": "0", "of": "change"}]
    assert run(**spec, having=fallen) == []


def test_metrics_of_two_entities_keep_the_members_of_both(run: Run) -> None:
    spec = {"metrics": ["revenue", "budget", "budget_variance"], "dimensions": ["centre"], "period": OCTOBER}
    assert run(**spec, order=[{"by": "centre", "descending": False}]) == [
        ("A", 130, 150, -20),
        ("B", None, 40, -40),
        (None, 8, None, 8),
    ]


def test_two_entities_share_a_dimension_that_both_reach(run: Run) -> None:
    assert run(metrics=["budget_variance"], dimensions=["unit"], period=OCTOBER) == [
        (None, 8),
        ("Consumer", -60),
    ]


def test_largest_members_of_a_series_may_be_the_rows_without_one(run: Run) -> None:
    spec = {"metrics": ["revenue"], "dimensions": ["centre"], "grain": "month", "period": OCTOBER}
    assert run(**spec, order=[{"by": "revenue"}], limit=2) == [
        (date(2026, 10, 1), "A", 130),
        (date(2026, 10, 1), None, 8),
    ]


def test_largest_members_across_two_entities(run: Run) -> None:
    spec = {"metrics": ["budget_variance"], "dimensions": ["centre"], "grain": "month", "period": AUTUMN}
    assert run(**spec, order=[{"by": "budget_variance"}], limit=1) == [
        (date(2026, 8, 1), "A", 100),
        (date(2026, 9, 1), "A", 10),
        (date(2026, 10, 1), "A", -20),
    ]


def test_a_cumulative_metric_runs_up_from_the_start_of_the_period(run: Run) -> None:
    spec = {"metrics": ["revenue_so_far"], "grain": "month", "period": AUTUMN}
    assert run(**spec) == [(date(2026, 8, 1), 150), (date(2026, 9, 1), 320), (date(2026, 10, 1), 458)]
    over = [{"metric": "revenue_so_far", "operator": ">", "value": "200"}]
    assert [row[1] for row in run(**spec, having=over)] == [320, 458]
    assert run(metrics=["revenue_so_far"], period=AUTUMN) == [(458,)]


def test_other_aggregations(run: Run) -> None:
    spec = {"metrics": ["postings", "revenue_postings", "centres_posted", "largest", "average_posting"]}
    assert run(**spec, period=OCTOBER) == [(4, 2, 2, 130, 53)]


def test_a_missing_bucket_gives_no_change_instead_of_a_wrong_one(run: Run) -> None:
    spec = {"metrics": ["revenue_postings"], "dimensions": ["centre"], "grain": "month", "period": AUTUMN}
    rows = run(**spec, filters=[{"dimension": "centre", "values": ["A"]}], calculation={"kind": "delta"})
    assert [row[2:] for row in rows] == [(1, None, None), (1, 0, 0), (1, 0, 0)]


def test_a_moving_average_waits_for_a_full_window(run: Run) -> None:
    spec = {"metrics": ["revenue", "margin_pct", "largest"], "grain": "month", "period": AUTUMN}
    rows = run(**spec, calculation={"kind": "moving_average", "window": 2})
    assert [row[2] for row in rows] == [None, 160, 154]
    assert [row[4] for row in rows] == [None, pytest.approx(188 / 320, abs=1e-6), pytest.approx(167 / 308, abs=1e-6)]
    assert [row[6] for row in rows] == [None, 110, 125]


def test_a_moving_average_of_one_bucket_is_the_bucket(run: Run) -> None:
    spec = {"metrics": ["revenue"], "grain": "month", "period": AUTUMN}
    rows = run(**spec, calculation={"kind": "moving_average", "window": 1})
    assert [row[1] == row[2] for row in rows] == [True, True, True]


def test_months_of_two_years_meet_by_month(run: Run) -> None:
    before = {"kind": "named", "period": days("2026-08-01", "2026-09-30")}
    spec = {"metrics": ["revenue"], "grain": "month", "period": days("2026-09-01", "2026-10-31")}
    assert [row[:3] for row in run(**spec, comparison=before)] == [
        (date(2026, 9, 1), 170, 150),
        (date(2026, 10, 1), 138, 170),
    ]


def test_overlapping_periods_are_each_counted_whole(run: Run) -> None:
    before = {"kind": "named", "period": AUTUMN}
    assert run(metrics=["revenue"], period=OCTOBER, comparison=before)[0][:2] == (138, 458)


@pytest.mark.parametrize(
    "fields",
    [
        {"metrics": ["unheard_of"]},
        {"metrics": []},
        {"metrics": ["minutes"], "dimensions": ["centre"]},
        {"metrics": ["revenue"], "grain": "day"},
        {"metrics": ["revenue"], "period": days("2026-10-05", "2026-10-31")},
        {"metrics": ["revenue"], "calculation": {"kind": "growth"}},
        {"metrics": ["revenue"], "calculation": {"kind": "count_members"}},
        {"metrics": ["margin_pct"], "dimensions": ["centre"], "calculation": {"kind": "share"}},
        {"metrics": ["largest"], "grain": "month", "calculation": {"kind": "running_total"}},
        {"metrics": ["revenue"], "order": [{"by": "time"}], "dimensions": ["centre"]},
        {"metrics": ["revenue"], "order": [{"by": "unheard_of"}], "dimensions": ["centre"]},
        {"metrics": ["revenue"], "entity": "plan"},
    ],
)
def test_a_spec_that_no_source_answers_is_a_fault_of_ours(fields: dict[str, Any]) -> None:
    with pytest.raises(SpecNotCompilable):
        ledger("postgres", **{"period": OCTOBER, **fields})


def test_a_comparison_needs_a_period() -> None:
    with pytest.raises(SpecNotCompilable):
        ledger("postgres", metrics=["revenue"], comparison={"kind": "named", "period": OCTOBER})


def _plain(rows: Sequence[tuple[Any, ...]]) -> list[tuple[object, ...]]:
    return [tuple(_cell(cell) for cell in row) for row in rows]


def _cell(cell: object) -> object:
    if isinstance(cell, datetime):
        return cell.date()
    return round(float(cell), 9) if isinstance(cell, Decimal | float | int) else cell
