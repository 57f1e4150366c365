from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from agent.analysis.kpis import compute_kpis
from agent.values.result import Kpi, ResultTable
from agent.values.spec import QuerySpec, Threshold
from semantic_catalog.model import Locale, MetricName
from tests.unit.agent.analysis.cases import cases
from tests.unit.agent.analysis.results import YEAR, dimension, metric, payments, spec, table, time


def kpis_of(name: str, locale: Locale = "en") -> dict[tuple[str, str], Kpi]:
    case = next(case for case in cases(locale) if case.name == name)
    return _by_key(case.table, case.spec, locale)


def _by_key(
    rows: ResultTable, asked: QuerySpec, locale: Locale = "en", truncated: bool = False
) -> dict[tuple[str, str], Kpi]:
    return {(kpi.kind, kpi.column): kpi for kpi in compute_kpis(rows, asked, payments(), locale, truncated)}


def test_additive_metric_has_total_average_and_extremes() -> None:
    kpis = kpis_of("amount_by_channel")
    assert kpis["total", "processed_amount"].value == Decimal("12412345.6")
    assert kpis["average", "processed_amount"].value == Decimal("3103086.4")
    assert (kpis["maximum", "processed_amount"].at, kpis["minimum", "processed_amount"].at) == ("POS", "ATM")
    assert kpis["count", "channel"].value == 4


def test_ratio_is_never_summed_or_averaged() -> None:
    kinds = {kind for kind, _ in kpis_of("rate_by_channel")}
    assert kinds == {"maximum", "minimum", "count"}


def test_overall_ratio_comes_from_its_parts() -> None:
    kpis = kpis_of("rate_with_its_parts")
    assert kpis["overall", "approval_rate"].value == Decimal(3554) / 4000
    assert ("total", "approval_rate") not in kpis


@pytest.mark.parametrize("name", ["top_merchants", "best_month"])
def test_first_few_have_no_total(name: str) -> None:
    assert "total" not in {kind for kind, _ in kpis_of(name)}


def test_limit_that_cut_nothing_leaves_the_total() -> None:
    rows = table((dimension("channel"), metric("fees")), ("pos", 5.0), ("atm", 2.5))
    assert _by_key(rows, spec("fees", by=("channel",), limit=3))["total", "fees"].value == Decimal("7.5")


def test_cut_or_filtered_result_has_no_total() -> None:
    rows = table((dimension("channel"), metric("fees")), ("pos", 5.0), ("atm", 2.5))
    asked = spec("fees", by=("channel",))
    above = (Threshold(metric=MetricName("fees"), operator=">", value=Decimal(1)),)
    assert ("total", "fees") not in _by_key(rows, asked, truncated=True)
    assert ("total", "fees") not in _by_key(rows, replace(asked, having=above))


def test_change_over_time_runs_from_the_first_to_the_last_whole_bucket() -> None:
    change = kpis_of("cut_weeks")["change", "transactions"]
    assert (change.value, change.at) == (Decimal(-50), "12–18 Oct 2026 → 19–25 Oct 2026")
    assert change.change == Decimal(-50) / 700


def test_average_is_left_out_when_a_bucket_is_cut() -> None:
    kpis = kpis_of("cut_weeks")
    assert ("average", "transactions") not in kpis
    assert kpis["total", "transactions"].value == 2250


def test_change_of_a_percentage_is_a_difference_only() -> None:
    change = kpis_of("single_fell_in_points")["change", "approval_rate"]
    assert (change.value, change.change, change.at) == (Decimal("-0.0411"), None, "18–24 Oct 2026")


def test_change_against_an_earlier_period_sums_members_of_additive_metrics_only() -> None:
    change = kpis_of("amount_against_before")["change", "processed_amount"]
    assert (change.value, change.change) == (Decimal(37), Decimal(37) / 600)
    assert ("change", "approval_rate") not in kpis_of("rate_against_before")


def test_change_from_zero_or_nothing_has_no_percentage() -> None:
    assert kpis_of("single_from_zero")["change", "chargebacks"].change is None
    assert ("change", "chargebacks") not in kpis_of("single_from_nothing")


def test_change_from_a_negative_value_has_no_percentage() -> None:
    rows = table((time("month"), metric("fees")), (date(2026, 9, 1), -5.0), (date(2026, 10, 1), 5.0))
    change = _by_key(rows, spec("fees", grain="month", period=YEAR))["change", "fees"]
    assert (change.value, change.change) == (Decimal(10), None)


def test_growth_is_read_along_time_and_not_against_an_earlier_period() -> None:
    assert kpis_of("growth")["change", "processed_amount"].value == Decimal(11)


def test_members_of_an_additive_metric_are_summed_per_bucket() -> None:
    columns = (time("month"), dimension("channel"), metric("fees"))
    months = (date(2026, 9, 1), date(2026, 10, 1))
    rows = table(columns, *((month, name, 10.0 * month.month) for month in months for name in ("pos", "atm")))
    kpis = _by_key(rows, spec("fees", by=("channel",), grain="month", period=YEAR))
    assert kpis["change", "fees"].value == Decimal(20)
    assert kpis["average", "fees"].value == Decimal(190)


def test_nulls_and_not_a_number_count_for_nothing() -> None:
    rows = ResultTable(
        columns=(dimension("channel"), metric("fees")), rows=(("pos", None), ("atm", float("nan")), ("mobile", 2.5))
    )
    assert _by_key(rows, spec("fees", by=("channel",)))["total", "fees"].value == Decimal("2.5")


def test_rows_are_named_in_the_readers_language() -> None:
    assert kpis_of("amount_by_channel", "ru")["minimum", "processed_amount"].at == "Банкомат"


def test_result_without_rows_has_only_its_count() -> None:
    assert [kpi.kind for kpi in kpis_of("no_rows").values()] == ["count"]
