from typing import Any

import pytest

from bot.evaluation.judge import judge
from bot.evaluation.rows import table_of
from tests.unit.bot.evaluation.reports import GOLD, answered, evidence, expected, report

RIGHT = [["Amex", 1], ["Visa", 2]]
WRONG = [["Amex", 1], ["Visa", 3]]


def clarification(slot: str, *values: str) -> dict[str, Any]:
    options = [{"label": value, "value": value} for value in values]
    asked = {"slot": slot, "question": "?", "options": options}
    return report(status="needs_clarification", clarification=asked)


def test_rows_are_right_when_they_are_those_of_any_gold() -> None:
    other = table_of(("brand", "n"), [("Visa", 9)])
    verdict = judge(expected("rows"), answered(RIGHT), evidence(other, GOLD))
    assert (verdict.match, verdict.wrong) == (True, False)


def test_other_rows_are_a_wrong_answer_unless_a_doubt_is_told() -> None:
    assert judge(expected("rows"), answered(WRONG), evidence()).wrong
    doubted = judge(expected("rows"), answered(WRONG, warnings=["No data for 28 Oct."]), evidence())
    assert (doubted.match, doubted.wrong) == (False, False)


def test_a_question_back_where_rows_were_due_is_no_wrong_answer() -> None:
    verdict = judge(expected("rows"), clarification("period"), evidence())
    assert (verdict.match, verdict.wrong, verdict.why) == (False, False, "status needs_clarification")


def test_no_rows_are_right_where_gold_has_none() -> None:
    empty = table_of(("brand", "n"), [])
    nothing = report(status="no_data", rows=[])
    assert judge(expected("rows", may_be_empty=True), nothing, evidence(empty)).match
    assert judge(expected("rows"), nothing, evidence()).wrong


@pytest.mark.parametrize("kind", ["clarify", "refuse"])
def test_an_answer_where_asking_or_refusing_was_right_is_wrong(kind: Any) -> None:
    assert judge(expected(kind, slots=("metric",)), answered(RIGHT), evidence()).wrong


def test_a_clarification_must_be_about_the_slot_and_offer_what_is_meant() -> None:
    wanted = expected("clarify", slots=("metric",), options=("approval_rate", "take rate"))
    assert judge(wanted, clarification("metric", "approval_rate", "take_rate"), evidence()).match
    missing = judge(wanted, clarification("metric", "approval_rate"), evidence())
    assert (missing.match, missing.why) == (False, "not offered: take rate")
    assert judge(wanted, clarification("period"), evidence()).why == "asked about period, not metric"


def test_another_accepted_slot_needs_no_options() -> None:
    wanted = expected("clarify", slots=("period", "metric"), options=("year to date",))
    assert judge(wanted, clarification("metric", "fees"), evidence()).match


def test_a_refusal_says_why_in_the_language_of_the_question() -> None:
    refusal = {"rule": "write_request", "message": "I only read data."}
    assert judge(expected("refuse"), report(status="refused", refusal=refusal), evidence()).match
    foreign = report(status="refused", refusal=refusal, language="ru")
    assert not judge(expected("refuse"), foreign, evidence()).match


def test_restricted_rows_are_right_only_with_the_restriction_said() -> None:
    silent = judge(expected("refuse_or_disclose"), answered(RIGHT), evidence())
    assert (silent.match, silent.wrong) == (False, True)
    said = answered(RIGHT, receipt={"lines": [{"key": "access", "value": "Bakery and Dairy only"}]})
    assert judge(expected("refuse_or_disclose"), said, evidence()).match


def test_a_chart_must_be_of_the_kind_asked_for_and_show_the_same_rows() -> None:
    pie = answered(RIGHT, spec={"chart": "pie"})
    assert judge(expected("viz", charts=("pie",)), pie, evidence()).match
    assert judge(expected("viz", charts=("line",)), pie, evidence()).why == "chart pie, not line"


def test_a_horizontal_bar_is_a_bar() -> None:
    drawn = answered(RIGHT, spec={"chart": "horizontal_bar"})
    assert judge(expected("viz", charts=("bar",)), drawn, evidence()).match


def test_a_chart_without_gold_shows_what_the_last_answer_showed() -> None:
    before, after = answered(RIGHT), answered(RIGHT, spec={"chart": "bar"})
    assert judge(expected("viz", golds=()), after, evidence(previous=before)).match
    assert not judge(expected("viz", golds=()), after, evidence(previous=answered(WRONG))).match


def test_a_proposal_is_judged_by_the_rows_of_its_sql() -> None:
    waiting = report(status="awaiting_approval")
    assert judge(expected("proposal"), waiting, evidence(proposed=GOLD)).match
    other = table_of(("brand", "n"), [("Visa", 3), ("Amex", 1)])
    assert not judge(expected("proposal"), waiting, evidence(proposed=other)).match
    assert not judge(expected("proposal"), waiting, evidence()).match
    assert not judge(expected("proposal"), answered(RIGHT), evidence(proposed=GOLD)).match


def test_a_forecast_holds_the_history_and_the_steps_ahead() -> None:
    history = table_of(("month", "n"), [("2026-09", 1), ("2026-10", 2)])
    rows = [["2026-09", 1], ["2026-10", 2], ["2026-11", 2.5]]
    projected = answered(rows, turn_type="forecast")
    wanted = expected("forecast", keys=("month",), horizon=1)
    assert judge(wanted, projected, evidence(history)).match
    assert not judge(expected("forecast", keys=("month",), horizon=2), projected, evidence(history)).match
    assert not judge(wanted, answered(rows), evidence(history)).match


def test_talk_runs_nothing_and_mentions_what_it_must() -> None:
    talk = report(narrative="SELECT channel FROM sales")
    assert judge(expected("no_sql", must_mention=("select", "channel")), talk, evidence()).match
    assert judge(expected("no_sql", must_mention=("brand",)), talk, evidence()).why == "does not mention brand"
    assert not judge(expected("no_sql"), answered(RIGHT), evidence()).match


def test_a_click_that_is_turned_down_ran_nothing() -> None:
    assert judge(expected("no_sql"), report(status="turned_down"), evidence()).match


def test_a_rejection_keeps_its_reason() -> None:
    assert judge(expected("rejected"), report(status="rejected", narrative="wrong period"), evidence()).match
    assert not judge(expected("rejected"), report(status="rejected"), evidence()).match


def test_a_turn_is_right_as_any_of_its_kinds() -> None:
    waiting = report(status="awaiting_approval", turn_type="forecast")
    assert judge(expected("forecast", "proposal"), waiting, evidence()).kind == "proposal"
