from datetime import date
from decimal import Decimal

import pytest

from agent.analysis.decompose import decompose, named
from agent.analysis.explain import Direction, direction_in, explain
from agent.analysis.reading import Reading, read_result
from agent.analysis.suggest import suggest_drill_down
from agent.values.result import ResultTable
from agent.values.spec import QuerySpec
from semantic_catalog.model import Locale
from tests.unit.agent.analysis.cases import cases
from tests.unit.agent.analysis.results import (
    TODAY,
    WEEK_BEFORE,
    YEAR,
    compared,
    dimension,
    metric,
    payments,
    spec,
    table,
    time,
)

SEPTEMBER, OCTOBER = date(2026, 9, 1), date(2026, 10, 1)


def reading(rows: ResultTable, asked: QuerySpec, locale: Locale = "en", truncated: bool = False) -> Reading:
    return read_result(rows, asked, payments(), locale, truncated)


def told(read: Reading, text: str = "why?", taken: Direction | None = None) -> str:
    found = decompose(read)
    assert found is not None
    return "\n".join(explain(named(found, text), read, taken)).replace("\u00a0", " ")


def by_channel(locale: Locale = "en", truncated: bool = False) -> Reading:
    columns = (dimension("channel", locale), *compared("processed_amount", locale))
    rows = table(
        columns,
        ("pos", 600.0, 900.0, -300.0, -0.333333),
        ("ecommerce", 500.0, 400.0, 100.0, 0.25),
        ("mobile", 200.0, 250.0, -50.0, -0.2),
        ("atm", 100.0, 90.0, 10.0, 0.111111),
    )
    return reading(rows, spec("processed_amount", by=("channel",), before=WEEK_BEFORE), locale, truncated)


@pytest.mark.parametrize(
    ("locale", "first", "last"),
    [
        ("en", "Processed amount fell by S/ 240.00, from S/ 1,640.00 (18–24 Oct 2026) to S/ 1,400.00 (25–31 Oct 2026).",
         "The rows show where it moved, not why."),
        ("es", "Monto procesado: caída de S/ 240,00, de S/ 1.640,00 (18–24 oct 2026) a S/ 1.400,00 (25–31 oct 2026).",
         "Las filas muestran dónde se movió, no por qué."),
        ("ru", "Оборот: снижение на S/ 240,00, с S/ 1 640,00 (18–24 окт. 2026) до S/ 1 400,00 (25–31 окт. 2026).",
         "Строки показывают, где произошло изменение, но не почему."),
    ],
)  # fmt: skip
def test_a_compared_amount_is_told_as_a_whole_and_no_cause_is_invented(locale: Locale, first: str, last: str) -> None:
    lines = told(by_channel(locale)).split("\n")
    assert (lines[0], lines[-1]) == (first, last)


def test_the_members_that_moved_most_are_named_and_the_others_summed() -> None:
    assert told(by_channel()).split("\n")[1:3] == [
        "Moved most: POS −S/ 300.00 (S/ 900.00 → S/ 600.00); E-commerce +S/ 100.00 (S/ 400.00 → S/ 500.00);"
        " Mobile −S/ 50.00 (S/ 250.00 → S/ 200.00).",
        "All others together (1): +S/ 10.00.",
    ]


def test_the_parts_add_up_to_the_whole() -> None:
    found = decompose(by_channel())
    assert found is not None
    assert found.whole is not None
    assert sum(part.difference for part in found.parts) == found.whole.difference == Decimal(-240)


def test_of_rows_that_are_cut_no_whole_is_told() -> None:
    found = decompose(by_channel(truncated=True))
    assert found is not None
    assert found.whole is None


def test_a_rate_is_never_summed_over_its_members_and_moves_in_points() -> None:
    columns = (dimension("channel"), *compared("approval_rate"))
    rows = table(columns, ("pos", 0.914, 0.893, 0.021, 0.02), ("atm", 0.8, 0.85, -0.05, -0.06))
    text = told(reading(rows, spec("approval_rate", by=("channel",), before=WEEK_BEFORE)))
    assert "Moved most: ATM −5.0 points (85.0 % → 80.0 %); POS +2.1 points (89.3 % → 91.4 %)." in text
    assert "others" not in text


def test_a_premise_that_the_rows_do_not_bear_out_is_said() -> None:
    assert told(by_channel(), taken="rose").startswith("It did not rise:\nProcessed amount fell by")
    assert told(by_channel(), taken="fell").startswith("Processed amount fell by")


def test_the_member_that_is_named_is_told_alone() -> None:
    text = told(by_channel(), "why did POS drop?", "fell")
    assert text.startswith("Processed amount, POS fell by S/ 300.00, from S/ 900.00")
    assert "Mobile" not in text


def months(*values: float) -> Reading:
    starts = [date(2026, month, 1) for month in range(11 - len(values), 11)]
    rows = table((time("month"), metric("processed_amount")), *zip(starts, values, strict=True))
    return reading(rows, spec("processed_amount", grain="month", period=YEAR))


def test_a_course_tells_its_last_step_and_its_largest() -> None:
    text = told(months(100.0, 400.0, 380.0, 390.0))
    assert "Processed amount rose by S/ 10.00, from S/ 380.00 (Sept 2026) to S/ 390.00 (Oct 2026)." in text
    assert "The largest step was from Jul 2026 to Aug 2026: +S/ 300.00." in text


def test_a_month_that_did_not_move_stayed() -> None:
    assert told(months(5.0, 7.0, 7.0), taken="fell").startswith("It did not fall:\nProcessed amount stayed at S/ 7.00")


def test_members_over_time_are_compared_between_the_last_two_buckets() -> None:
    columns = (time("month"), dimension("channel"), metric("processed_amount"))
    rows = table(
        columns, (SEPTEMBER, "pos", 10.0), (SEPTEMBER, "atm", 5.0), (OCTOBER, "pos", 4.0), (OCTOBER, "web", 1.0)
    )
    text = told(reading(rows, spec("processed_amount", by=("channel",), grain="month", period=YEAR)))
    assert "fell by S/ 10.00, from S/ 15.00 (Sept 2026) to S/ 5.00 (Oct 2026)" in text
    assert (
        "Moved most: POS −S/ 6.00 (S/ 10.00 → S/ 4.00); ATM −S/ 5.00 (S/ 5.00 → —); web +S/ 1.00 (— → S/ 1.00)" in text
    )


@pytest.mark.parametrize("name", ["single", "rate_by_channel", "one_day", "no_rows", "all_null"])
def test_rows_of_one_time_show_no_move(name: str) -> None:
    case = next(case for case in cases("en") if case.name == name)
    assert decompose(reading(case.table, case.spec)) is None


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("why did it drop?", "fell"),
        ("why is it lower", "fell"),
        ("what drove the increase", "rose"),
        ("¿por qué bajó?", "fell"),
        ("¿por qué creció Visa?", "rose"),
        ("a qué se debe la caída", "fell"),
        ("почему упала доля?", "fell"),
        ("почему вырос оборот", "rose"),
        ("why did it move like that?", None),
        ("did it rise or fall?", None),
    ],
)
def test_the_direction_taken_for_granted_is_heard(text: str, direction: Direction | None) -> None:
    assert direction_in(text) == direction


def test_the_questions_offered_split_the_same_move_otherwise() -> None:
    offers = suggest_drill_down(spec("processed_amount", by=("channel",)), payments(), "en", TODAY)
    assert len(offers) == 3
    assert all("against the previous period" in offer.question for offer in offers)
    assert all("by channel" not in offer.question for offer in offers)
