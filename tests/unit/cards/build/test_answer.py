from dataclasses import replace
from datetime import date

import pytest

from agent.values.result import Doubt, Verification
from agent.values.spec import Period, QuerySpec, ReportKind
from agent.values.turn import CardAction
from agent.wording.texts import say
from cards.build.answer import answer_card
from cards.elements import Actions, Card, Notice, Paragraph, Picture, Small, Table
from cards.render.text import plain, render_text
from semantic_catalog.model import DomainName, MetricName
from tests.unit.cards import samples
from tests.unit.cards.samples import RUN, WORDS

EN = WORDS["en"]


def table_of(card: Card) -> Table:
    (table,) = (element for element in card.elements if isinstance(element, Table))
    return table


def small_of(card: Card) -> list[str]:
    return [plain(element.spans) for element in card.elements if isinstance(element, Small)]


def actions_of(card: Card) -> list[CardAction]:
    return [button.action for element in card.elements if isinstance(element, Actions) for button in element.buttons]


def test_doubts_come_before_the_sentence() -> None:
    card = answer_card(samples.answer(EN), samples.table(EN))
    kinds = [type(element) for element in card.elements]
    assert kinds[:3] == [Notice, Notice, Paragraph]
    assert plain(card.elements[0].spans) == "⚠ No data for 28 Oct."  # type: ignore[union-attr]  # kinds checked above


def test_what_a_model_wrote_is_marked_with_what_it_rests_on() -> None:
    plain_answer = samples.answer(EN)
    written = replace(plain_answer, narrative=replace(plain_answer.narrative, written_by="model"))
    card = answer_card(written, samples.table(EN), samples.attachments(EN))
    assert card.is_model_written
    assert [cited.title for cited in card.citations] == [written.source_label]
    assert not answer_card(plain_answer, samples.table(EN)).is_model_written


def test_the_picture_says_what_it_shows() -> None:
    card = answer_card(samples.answer(EN), samples.table(EN), samples.attachments(EN))
    [picture] = [element for element in card.elements if isinstance(element, Picture)]
    assert picture.plot is not None
    assert picture.plot.labels == tuple(row[0] for row in table_of(card).rows if row[1] != "—")


def test_an_answer_without_doubts_opens_with_its_sentence() -> None:
    answer = replace(samples.answer(EN), warnings=(), unused_words=())
    first = answer_card(answer, samples.table(EN)).elements[0]
    assert isinstance(first, Paragraph)
    assert [(span.text, span.bold) for span in first.spans] == [(EN.lead, True), (f" {EN.rest}", False)]


def test_a_doubt_that_is_also_a_warning_is_said_once() -> None:
    doubt = Doubt(key="shares_total", params=(("total", "97 %"),))
    answer = replace(samples.answer(EN), verification=Verification(status="low_confidence", doubts=(doubt,)))
    said = say("en", "doubt.shares_total", total="97 %")
    card = answer_card(replace(answer, warnings=(said,)), samples.table(EN))
    assert render_text(card).count(said) == 1


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("in May.", "Rate was 1 % in May."),
        (", up.", "Rate was 1 %, up."),
        (". Up.", "Rate was 1 %. Up."),
        ("", "Rate was 1 %"),
    ],
)
def test_the_lead_and_the_rest_make_one_sentence(rest: str, expected: str) -> None:
    answer = samples.answer(EN)
    told = replace(answer, narrative=replace(answer.narrative, lead="Rate was 1 %", rest=rest))
    assert answer_card(told, samples.table(EN)).fallback == expected


def test_ten_rows_and_where_the_rest_is() -> None:
    card = answer_card(samples.answer(EN), samples.table(EN, 212), samples.attachments(EN))
    assert len(table_of(card).rows) == 10
    assert table_of(card).note == "showing 10 of 212, all in the workbook"


def test_rows_that_all_fit_need_no_note() -> None:
    card = answer_card(samples.answer(EN, row_count=4), samples.table(EN), samples.attachments(EN))
    assert table_of(card).note == ""


def test_without_a_workbook_none_is_promised() -> None:
    assert table_of(answer_card(samples.answer(EN), samples.table(EN, 20))).note == "showing 10 of 212"


def test_a_cut_result_says_that_there_is_more() -> None:
    answer = samples.answer(EN, row_count=500)
    cut = replace(answer, result=replace(answer.result, truncated=True))
    note = table_of(answer_card(cut, samples.table(EN, 500), samples.attachments(EN))).note
    assert note == "showing 10 of the first 500; the result has more rows"


def test_cells_are_written_as_their_columns_say() -> None:
    rows = table_of(answer_card(samples.answer(WORDS["es"]), samples.table(WORDS["es"]))).rows
    assert rows[0] == ("pos", "91,4\u00a0%")
    assert rows[2] == ("atm", "—")


def test_a_single_figure_has_no_table() -> None:
    table = samples.table(EN)
    single = replace(table, columns=table.columns[1:], rows=(table.rows[0][1:],))
    card = answer_card(samples.answer(EN, row_count=1), single)
    assert not any(isinstance(element, Table) for element in card.elements)


def test_the_picture_is_the_image_among_the_files() -> None:
    card = answer_card(samples.answer(EN), samples.table(EN), samples.attachments(EN))
    [picture] = [item for item in card.elements if isinstance(item, Picture)]
    assert (picture.attachment, picture.alt) == ("chart", EN.alt)


def test_the_receipt_line_names_source_period_measure_run_time_and_data() -> None:
    period = Period(start=date(2026, 10, 25), end=date(2026, 10, 31), timezone="America/Lima", words="last_7_days")
    spec = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),), period=period)
    card = answer_card(replace(samples.answer(EN), spec=spec), samples.table(EN))
    (line,) = small_of(card)
    assert line.split(" · ") == [
        "Daily payment metrics",
        "25–31 Oct 2026",
        "approved ÷ all transactions",
        "run 7F3K",
        "0.4 s",
        "data up to 31 Oct 2026",
    ]


def test_an_answer_signed_by_a_policy_says_so() -> None:
    card = answer_card(replace(samples.answer(EN), approved_by="policy:trusted"), samples.table(EN))
    assert small_of(card)[0].endswith("approved by policy trusted")


def test_an_answer_can_be_drawn_anew_opened_up_shown_exported_and_judged() -> None:
    verbs = [action.verb for action in actions_of(answer_card(samples.answer(EN), samples.table(EN)))]
    assert verbs[:3] == ["chart_type"] * 3
    assert verbs[3:8] == ["drill_down", "show_sql", "export", "thumbs_up", "thumbs_down"]


def test_follow_up_questions_run_as_they_stand() -> None:
    actions = actions_of(answer_card(samples.answer(EN), samples.table(EN)))
    assert [action.verb for action in actions[-3:]] == ["ask", "ask", "ask"]
    assert actions[-3] == CardAction(verb="ask", run=RUN, value="Approval rate by brand, last 7 days")


@pytest.mark.parametrize(
    ("report", "shown"),
    [
        (None, {Picture, Table}),
        ("chart_table", {Picture, Table}),
        ("short", set()),
        ("chart", {Picture}),
        ("analysis", {Picture, Table}),
    ],
)
def test_an_answer_shows_as_much_as_its_report_asks_for(report: ReportKind | None, shown: set[type]) -> None:
    answer = replace(samples.answer(EN), report=report)
    card = answer_card(answer, samples.table(EN), samples.attachments(EN))
    assert {type(element) for element in card.elements} & {Picture, Table} == shown


def test_a_summary_takes_the_place_of_what_stands_out() -> None:
    told = samples.answer(EN)
    lines = ("Total, Fees: S/ 64.4 K.", "Moved most: ATM.")
    card = answer_card(
        replace(told, narrative=replace(told.narrative, summary=lines), report="analysis"), samples.table(EN)
    )
    said = render_text(card)
    assert all(line in said for line in lines)
    assert say("en", "answer.summary") in said
    assert told.narrative.highlights[0] not in said
