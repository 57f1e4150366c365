from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from agent.analysis.verify import verify_result
from agent.values.result import ResultTable, Verification
from agent.values.spec import Period, QuerySpec, Threshold
from agent.wording.texts import say
from semantic_catalog.model import LOCALES, EntityName, Locale, MetricName
from tests.fakes.stores import HeldRows
from tests.unit.agent.analysis.cases import CHANNELS, cases
from tests.unit.agent.analysis.results import (
    LATEST,
    TODAY,
    WEEK,
    WEEK_BEFORE,
    YEAR,
    ZONE,
    compared,
    dimension,
    metric,
    payments,
    share,
    spec,
    table,
    time,
)

RATE_BY_CHANNEL = (dimension("channel"), metric("approval_rate"))
BY_CHANNEL = spec("approval_rate", by=("channel",))


def verified(
    rows: ResultTable, asked: QuerySpec, *, row_count: int | None = None, truncated: bool = False,
    latest: date | None = LATEST, locale: Locale = "en",
) -> Verification:  # fmt: skip
    count = len(rows.rows) if row_count is None else row_count
    return verify_result(rows, asked, payments(), count, truncated, TODAY, latest, locale)


def doubts(verification: Verification, locale: Locale = "en") -> list[str]:
    return [
        say(locale, f"doubt.{doubt.key}", **dict(doubt.params)).replace("\u00a0", " ") for doubt in verification.doubts
    ]


def test_sound_result_has_no_doubts() -> None:
    rows = table(RATE_BY_CHANNEL, *((name, 0.9) for name in CHANNELS))
    assert verified(rows, BY_CHANNEL) == Verification(status="success")


@pytest.mark.parametrize("locale", LOCALES)
def test_every_doubt_of_every_case_has_words_in_every_language(locale: Locale) -> None:
    for case in cases(locale):
        assert all(doubts(verified(case.table, case.spec, locale=locale), locale))


def test_empty_result_is_no_failure() -> None:
    assert verified(table(RATE_BY_CHANNEL), BY_CHANNEL).status == "success"


@pytest.mark.parametrize(
    ("rows", "asked", "key"),
    [
        (table((metric("approval_rate"),), (0.5,)), BY_CHANNEL, "column_missing"),
        (table((dimension("channel"), metric("fees")), ("pos", 5.5)), BY_CHANNEL, "column_missing"),
        (table(RATE_BY_CHANNEL, ("pos", 0.5)), spec("approval_rate"), "column_unexpected"),
        (table((time("day"), metric("approval_rate")), (LATEST, 0.5)), spec("approval_rate"), "wrong_grain"),
        (table((time("day"), metric("approval_rate")), (LATEST, 0.5)), spec("approval_rate", grain="month"),
         "wrong_grain"),
        (table((metric("approval_rate"),), (0.5,)), spec("approval_rate", grain="month"), "wrong_grain"),
        (table((metric("approval_rate"),), (0.5,), (0.6,)), spec("approval_rate"), "too_many_rows"),
        (table(RATE_BY_CHANNEL, ("pos", 0.5), ("atm", 0.4)), spec("approval_rate", by=("channel",), limit=1),
         "too_many_rows"),
        (table(RATE_BY_CHANNEL, ("pos",)), BY_CHANNEL, "ragged_rows"),
        (table((dimension("channel"),), ("pos",)), BY_CHANNEL, "no_metric"),
    ],
)  # fmt: skip
def test_result_of_another_shape_fails(rows: ResultTable, asked: QuerySpec, key: str) -> None:
    verification = verified(rows, asked)
    assert verification.status == "failed"
    assert key in [doubt.key for doubt in verification.doubts]


def test_missing_day_is_named() -> None:
    days = [date(2026, 10, day) for day in (25, 26, 27, 29, 30, 31)]
    rows = table((time("day"), metric("approval_rate")), *((day, 0.9) for day in days))
    verification = verified(rows, spec("approval_rate", grain="day"))
    assert (verification.status, doubts(verification)) == ("low_confidence", ["No data for 28 Oct 2026."])


def test_many_missing_days_are_counted_after_three() -> None:
    rows = table((time("day"), metric("approval_rate")), (date(2026, 10, 31), 0.9))
    assert doubts(verified(rows, spec("approval_rate", grain="day"))) == [
        "No data for 25 Oct 2026, 26 Oct 2026, 27 Oct 2026 and 3 more."
    ]


def test_days_after_the_newest_data_are_not_missing_but_the_end_is_told() -> None:
    days = [date(2026, 10, day) for day in (25, 26, 27, 28)]
    rows = table((time("day"), metric("approval_rate")), *((day, 0.9) for day in days))
    verification = verified(rows, spec("approval_rate", grain="day"), latest=date(2026, 10, 28))
    assert verification.status == "success"
    assert doubts(verification) == ["Data ends on 28 Oct 2026; the period runs to 31 Oct 2026."]


def test_days_to_come_are_not_missing() -> None:
    period = Period(start=date(2026, 10, 30), end=date(2026, 11, 30), timezone=ZONE)
    rows = table((time("day"), metric("fees")), (date(2026, 10, 30), 5.0), (date(2026, 10, 31), 5.0))
    verification = verified(rows, spec("fees", grain="day", period=period), latest=None)
    assert verification == Verification(status="success")


def test_month_source_covers_the_month_that_its_newest_row_begins() -> None:
    asked = replace(spec("chargebacks", period=YEAR), entity=EntityName(_chargeback_entity()))
    rows = table((metric("chargebacks"),), (12,))
    assert verified(rows, asked, latest=date(2026, 10, 1)).doubts == ()
    assert [d.key for d in verified(rows, asked, latest=date(2026, 9, 1)).doubts] == ["data_until"]


def _chargeback_entity() -> str:
    return next(e.name for e in payments().entities if e.source == "semantic.v_chargeback_metrics")


def test_ranking_of_buckets_leaves_buckets_out_without_a_doubt() -> None:
    rows = table((time("month"), metric("fees")), (date(2025, 12, 1), 9.0))
    assert verified(rows, spec("fees", grain="month", period=YEAR, limit=1)).doubts == ()


def test_half_a_month_is_told_but_not_distrusted() -> None:
    period = Period(start=date(2026, 9, 1), end=date(2026, 10, 12), timezone=ZONE)
    rows = table((time("month"), metric("fees")), (date(2026, 9, 1), 9.0), (date(2026, 10, 1), 4.0))
    verification = verified(rows, spec("fees", grain="month", period=period))
    assert verification.status == "success"
    assert doubts(verification) == ["Oct 2026 is not whole: it covers 1–12 Oct 2026."]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("pos", 0.9), ("pos", 0.8)], "Rows that repeat another row's group: 1."),
        ([(None, 0.9), ("pos", 0.8)], "Rows without a value of Channel: 1."),
        ([("atm", None), ("pos", 0.8)], "Approval rate: no value in 1 of 2 rows."),
        ([("atm", None), ("pos", None)], "Approval rate: no value anywhere in this result."),
        ([("atm", 0), ("pos", 0)], "Approval rate: zero everywhere in this result."),
        ([("atm", 0.5), ("pos", 1.2)], "Approval rate: outside 0–100 % for POS (120.0 %)."),
        ([("atm", 0.5), ("pos", -0.2)], "Approval rate: outside 0–100 % for POS (−20.0 %)."),
    ],
)
def test_doubtful_cells_are_told(rows: list[tuple[str | None, float | None]], words: str) -> None:
    verification = verified(table(RATE_BY_CHANNEL, *rows), BY_CHANNEL)
    assert verification.status == "low_confidence"
    assert doubts(verification) == [words]


def test_negative_count_is_told() -> None:
    rows = table((dimension("channel"), metric("transactions")), ("pos", -3), ("atm", 3))
    assert doubts(verified(rows, spec("transactions", by=("channel",)))) == ["Transactions: negative for POS (−3)."]


def test_rate_of_amounts_may_exceed_a_hundred_percent() -> None:
    rows = table((dimension("channel"), metric("take_rate")), ("pos", 1.3), ("atm", 0.3))
    assert verified(rows, spec("take_rate", by=("channel",))).doubts == ()


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (0.1, []),
        (0.1001, []),
        (0.2, ["The shares add up to 110.0 %, not to 100 %."]),
        (0.05, ["The shares add up to 95.0 %, not to 100 %."]),
    ],
)
def test_shares_add_up_to_one(last: float, told: list[str]) -> None:
    rows = table((dimension("channel"), share("fees")), ("pos", 0.6), ("atm", 0.3), ("mobile", last))
    assert doubts(verified(rows, spec("fees", by=("channel",), calculation="share"))) == told


def test_shares_of_the_first_few_need_not_add_up() -> None:
    rows = table((dimension("channel"), share("fees")), ("pos", 0.6), ("atm", 0.3))
    assert verified(rows, spec("fees", by=("channel",), calculation="share", limit=2)).doubts == ()


def test_shares_add_up_in_each_bucket() -> None:
    columns = (time("day"), dimension("channel"), share("fees"))
    asked = spec(
        "fees", by=("channel",), grain="day", calculation="share", period=replace(WEEK, start=date(2026, 10, 30))
    )
    days = (date(2026, 10, 30), date(2026, 10, 31))
    rows = table(columns, *((day, name, value) for day in days for name, value in (("pos", 0.6), ("atm", 0.4))))
    assert verified(rows, asked).doubts == ()


def test_cut_result_is_told_but_not_distrusted() -> None:
    verification = verified(table(RATE_BY_CHANNEL, ("pos", 0.9)), BY_CHANNEL, truncated=True)
    assert verification.status == "success"
    assert doubts(verification) == ["Only the first 1 rows were fetched, so there are no totals."]


def test_member_that_only_the_earlier_period_knows_is_no_surprise() -> None:
    rows = table((dimension("channel"), *compared("fees")), ("pos", None, 5.0, None, None), ("atm", 4.0, 2.0, 2.0, 1.0))
    assert verified(rows, spec("fees", by=("channel",), before=WEEK_BEFORE)).doubts == ()


def test_nothing_to_compare_with_is_told() -> None:
    rows = table(compared("fees"), (5.0, None, None, None))
    assert doubts(verified(rows, spec("fees", before=WEEK_BEFORE))) == [
        "No data for the period compared with (18–24 Oct 2026)."
    ]


def test_threshold_leaves_members_and_buckets_out_on_purpose() -> None:
    above = (Threshold(metric=MetricName("fees"), operator=">", value=Decimal(4)),)
    rows = table((time("day"), metric("fees")), (date(2026, 10, 31), 5.0))
    assert verified(rows, replace(spec("fees", grain="day"), having=above)).doubts == ()


def test_free_sql_is_checked_for_what_needs_no_spec() -> None:
    rows = table(RATE_BY_CHANNEL, ("pos", 0.9), ("pos", 0.9))
    verification = verify_result(rows, None, payments(), 2, False, TODAY, LATEST)
    assert [doubt.key for doubt in verification.doubts] == ["duplicate_rows"]


def test_unknown_members_of_a_long_result_are_two_and_not_one_twice() -> None:
    rows = table(RATE_BY_CHANNEL, (-1, 0.9), (-2, 0.8))
    assert verified(replace(rows, rows=HeldRows(rows.rows, piece=3)), BY_CHANNEL) == verified(rows, BY_CHANNEL)
    twice = table(RATE_BY_CHANNEL, (-2, 0.9), (-2, 0.8))
    assert verified(replace(twice, rows=HeldRows(twice.rows, piece=1)), BY_CHANNEL) == verified(twice, BY_CHANNEL)
