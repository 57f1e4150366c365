from dataclasses import replace
from datetime import date

import pytest

from agent.analysis.chart_choice import choose_chart
from agent.values.result import ChartSpec, ResultTable
from agent.values.spec import ChartKind, QuerySpec
from tests.unit.agent.analysis.cases import cases
from tests.unit.agent.analysis.results import dimension, metric, payments, spec, table, time

KINDS_OF_PILES: tuple[ChartKind, ...] = ("stacked", "area")


def chosen(rows: ResultTable, asked: QuerySpec, wish: ChartKind | None = None) -> ChartSpec | None:
    return choose_chart(rows, replace(asked, chart=wish), payments(), "en", "Title", "Source")


def chart_of(name: str, wish: ChartKind | None = None) -> ChartSpec | None:
    case = next(case for case in cases("en") if case.name == name)
    return chosen(case.table, case.spec, wish)


@pytest.mark.parametrize(
    ("name", "kind", "category", "values", "series"),
    [
        ("rate_by_channel", "bar", "channel", ("approval_rate",), None),
        ("rate_by_day", "line", "day", ("approval_rate",), None),
        ("rate_by_month_and_channel", "line", "month", ("approval_rate",), "channel"),
        ("shares", "pie", "channel", ("processed_amount_share",), None),
        ("two_dimensions", "horizontal_bar", "channel", ("transactions",), "brand"),
        ("codes_with_names", "bar", "mcc_label", ("transactions",), None),
        ("amount_against_before", "bar", "channel", ("processed_amount", "processed_amount_previous"), None),
        ("growth", "line", "month", ("processed_amount",), None),
        ("negative", "bar", "channel", ("processed_amount",), None),
    ],
)
def test_shape_of_the_data_decides(
    name: str, kind: ChartKind, category: str, values: tuple[str, ...], series: str | None
) -> None:
    chart = chart_of(name)
    assert chart is not None
    assert (chart.kind, chart.category, chart.values, chart.series) == (kind, category, values, series)


@pytest.mark.parametrize(
    "name", ["single", "single_rose", "one_member", "one_day", "best_month", "no_rows", "all_null"]
)
def test_a_single_figure_or_nothing_is_not_drawn(name: str) -> None:
    assert chart_of(name) is None


@pytest.mark.parametrize(
    ("name", "wish", "kind"),
    [
        ("amount_by_channel", "pie", "pie"),
        ("amount_by_channel", "horizontal_bar", "horizontal_bar"),
        ("rate_by_day", "bar", "bar"),
        ("shares", "bar", "bar"),
        ("rate_by_channel", "pie", "bar"),
        ("rate_by_channel", "line", "bar"),
        ("negative", "pie", "bar"),
        ("top_merchants", "pie", "bar"),
        ("rate_by_month_and_channel", "bar", "line"),
        ("amount_by_channel", "treemap", "treemap"),
        ("rate_by_channel", "treemap", "bar"),
        ("negative", "treemap", "bar"),
        ("top_merchants", "treemap", "treemap"),
        ("two_dimensions", "stacked", "stacked"),
        ("amount_by_channel", "stacked", "bar"),
        ("rate_by_month_and_channel", "stacked", "line"),
        ("amount_by_month", "area", "area"),
        ("rate_by_month_and_channel", "area", "line"),
        ("amount_by_channel", "area", "bar"),
        ("amount_by_month", "combo", "line"),
    ],
)
def test_wish_wins_where_it_can_be_drawn(name: str, wish: ChartKind, kind: ChartKind) -> None:
    chart = chart_of(name, wish)
    assert chart is not None
    assert chart.kind == kind


def test_wish_for_a_table_draws_nothing() -> None:
    assert chart_of("rate_by_channel", "table") is None


def test_many_or_long_names_lie_down() -> None:
    columns = (dimension("merchant"), metric("fees"))
    many = table(columns, *((f"M{i}", 5.0) for i in range(9)))
    long = table(columns, ("Comercializadora Internacional", 5.0), ("Wong", 4.0))
    for rows in (many, long):
        chart = chosen(rows, spec("fees", by=("merchant",)))
        assert chart is not None
        assert chart.kind == "horizontal_bar"


def test_more_than_six_shares_are_bars() -> None:
    case = next(case for case in cases("en") if case.name == "shares_alone")
    rows = table(case.table.columns, *((f"c{i}", 0.125) for i in range(8)))
    chart = chosen(rows, case.spec)
    assert chart is not None
    assert chart.kind == "bar"


def test_only_additive_values_may_be_summed_to_other() -> None:
    amount, rate = chart_of("amount_by_channel"), chart_of("rate_by_channel")
    assert amount is not None
    assert rate is not None
    assert (amount.additive, rate.additive) == (True, False)


@pytest.mark.parametrize("name", ["top_merchants", "amount_by_channel"])
def test_result_with_rows_missing_is_never_summed_to_other(name: str) -> None:
    case = next(case for case in cases("en") if case.name == name)
    chart = choose_chart(case.table, case.spec, payments(), "en", "Title", "Source", truncated=name != "top_merchants")
    assert chart is not None
    assert not chart.additive


def test_best_buckets_are_bars_and_not_a_course_of_time() -> None:
    rows = table((time("day"), metric("fees")), (date(2026, 10, 31), 5.0), (date(2026, 10, 3), 4.0))
    chart = chosen(rows, spec("fees", grain="day", limit=2))
    assert chart is not None
    assert chart.kind == "bar"


def test_members_of_a_single_bucket_are_bars() -> None:
    columns = (time("month"), dimension("channel"), metric("fees"))
    rows = table(columns, (date(2026, 10, 1), "pos", 5.0), (date(2026, 10, 1), "atm", 4.0))
    chart = chosen(rows, spec("fees", by=("channel",), grain="month"))
    assert chart is not None
    assert (chart.kind, chart.category, chart.series) == ("bar", "channel", None)


def test_metrics_of_one_unit_share_an_axis_and_others_do_not() -> None:
    columns = (time("day"), metric("approved_transactions"), metric("declined_transactions"), metric("fees"))
    rows = table(columns, (date(2026, 10, 30), 5, 4, 3.0), (date(2026, 10, 31), 6, 4, 3.0))
    chart = chosen(rows, spec("approved_transactions", "declined_transactions", "fees", grain="day"))
    assert chart is not None
    assert chart.values == ("approved_transactions", "declined_transactions")


def test_two_unlike_metrics_over_time_are_bars_and_a_line_with_the_rate_as_the_line() -> None:
    columns = (time("day"), metric("approval_rate"), metric("processed_amount"))
    rows = table(columns, (date(2026, 10, 30), 0.9, 5.0), (date(2026, 10, 31), 0.8, 6.0))
    asked = spec("approval_rate", "processed_amount", grain="day")
    chart = chosen(rows, asked)
    assert chart is not None
    assert (chart.kind, chart.values) == ("combo", ("processed_amount", "approval_rate"))
    line = chosen(rows, asked, "line")
    assert line is not None
    assert (line.kind, line.values) == ("line", ("approval_rate",))


def test_members_of_two_unlike_metrics_are_a_combo_only_when_wished() -> None:
    columns = (dimension("channel"), metric("processed_amount"), metric("approval_rate"))
    rows = table(columns, ("pos", 5.0, 0.9), ("atm", 6.0, 0.8))
    asked = spec("processed_amount", "approval_rate", by=("channel",))
    unwished, wished = chosen(rows, asked), chosen(rows, asked, "combo")
    assert unwished is not None
    assert wished is not None
    assert (unwished.kind, wished.kind) == ("bar", "combo")


def test_parts_over_time_may_be_piled_as_bars_or_areas() -> None:
    columns = (time("month"), dimension("channel"), metric("fees"))
    rows = table(columns, *((date(2026, m, 1), c, 5.0) for m in (8, 9, 10) for c in ("pos", "atm")))
    asked = spec("fees", by=("channel",), grain="month")
    for wish in KINDS_OF_PILES:
        chart = chosen(rows, asked, wish)
        assert chart is not None
        assert (chart.kind, chart.series) == (wish, "channel")


def test_title_period_and_source_are_on_the_chart() -> None:
    chart = chart_of("rate_by_channel")
    assert chart is not None
    assert (chart.title, chart.subtitle, chart.source) == ("Title", "25–31 Oct 2026", "Source")
