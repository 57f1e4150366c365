from dataclasses import replace

import pytest

from agent.values.outcome import ReceiptLine
from agent.values.usage import Usage
from cards.build.proposal import proposal_card
from cards.elements import Actions, Bullets, Button, Card, Code, Facts, Fold, Small
from cards.render.text import plain, render_text
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards import samples
from tests.unit.cards.samples import FINGERPRINT, RUN, WORDS


def buttons(card: Card) -> list[Button]:
    return [button for element in card.elements if isinstance(element, Actions) for button in element.buttons]


def facts(card: Card) -> dict[str, str]:
    return dict(item for element in card.elements if isinstance(element, Facts) for item in element.items)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_button_carries_the_run_the_fingerprint_and_the_revision(locale: Locale) -> None:
    shown = buttons(proposal_card(samples.proposal(WORDS[locale])))
    assert [(item.action.verb, item.action.run, item.action.fingerprint, item.action.value) for item in shown] == [
        ("approve", RUN, FINGERPRINT, "2"),
        ("change", RUN, FINGERPRINT, "2"),
        ("reject", RUN, FINGERPRINT, "2"),
    ]


def test_reject_asks_for_a_reason_change_for_words_and_approve_for_nothing() -> None:
    approve, change, reject = buttons(proposal_card(samples.proposal(WORDS["en"])))
    assert approve.prompt is None
    assert change.prompt is not None
    assert change.prompt.required
    assert reject.prompt is not None
    assert not reject.prompt.required


def test_an_approval_of_the_kind_is_offered_only_where_the_policy_grants_it() -> None:
    proposal = samples.proposal(WORDS["en"])
    offered = buttons(proposal_card(replace(proposal, standing_days=30)))
    assert [item.action.verb for item in offered] == ["approve", "approve_always", "change", "reject"]
    assert offered[1].label == "Approve, and don’t ask again for 30 days"


def test_the_difference_to_the_version_before_is_folded_away() -> None:
    before = samples.SQL.replace("LIMIT 501", "LIMIT 10")
    card = proposal_card(replace(samples.proposal(WORDS["en"]), previous_sql=before))
    fold = [element for element in card.elements if isinstance(element, Fold)][-1]
    assert fold.title == "Difference to the version before"
    [code] = fold.elements
    assert isinstance(code, Code)
    assert code.text.splitlines()[-2:] == ["-LIMIT 10", "+LIMIT 501"]


def test_tokens_are_shown_only_where_a_model_takes_part() -> None:
    proposal = samples.proposal(WORDS["en"])
    assert "Language model" not in facts(proposal_card(proposal))
    spent = replace(proposal, usage=Usage(llm_calls=2, tokens_in=1_200, tokens_out=80), tokens_to_come=400)
    assert facts(proposal_card(spent))["Language model"] == "1,280 tokens used, about 400 to come"


def test_the_sql_is_the_query_word_for_word_and_folded() -> None:
    card = proposal_card(samples.proposal(WORDS["en"]))
    folds = [element for element in card.elements if isinstance(element, Fold)]
    assert [fold.elements for fold in folds] == [(Code(text=samples.SQL),)]


def test_assumptions_that_the_receipt_states_are_not_said_twice() -> None:
    proposal = samples.proposal(WORDS["en"])
    line = ReceiptLine(key="assumptions", value=WORDS["en"].assumption)
    stated = replace(proposal, receipt=replace(proposal.receipt, lines=(*proposal.receipt.lines, line)))
    assert render_text(proposal_card(stated)).count(WORDS["en"].assumption) == 1
    assert render_text(proposal_card(proposal)).count(WORDS["en"].assumption) == 1


@pytest.mark.parametrize(
    ("seconds", "rows", "expected"),
    [
        (None, 1240, "About 1,240 rows read, cost 312 of 150,000"),
        (0.2, 1240, "About 1,240 rows read, cost 312 of 150,000, under 1 s"),
        (3.6, 1, "About 1 row read, cost 312 of 150,000, about 4 s"),
    ],
)
def test_cost_in_words(seconds: float | None, rows: int, expected: str) -> None:
    proposal = samples.proposal(WORDS["en"])
    estimate = replace(proposal.estimate, seconds=seconds, max_node_rows=rows)
    assert facts(proposal_card(replace(proposal, estimate=estimate)))["Cost"] == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (1, "прочитана примерно 1 строка"),
        (3, "примерно 3 строки"),
        (12, "примерно 12 строк"),
        (1240, "1\u00a0240 строк"),
    ],
)
def test_russian_counts_rows_with_its_plural_forms(rows: int, expected: str) -> None:
    proposal = samples.proposal(WORDS["ru"])
    card = proposal_card(replace(proposal, estimate=replace(proposal.estimate, max_node_rows=rows)))
    assert expected in facts(card)["Стоимость"]


@pytest.mark.parametrize(
    ("approvers", "expected"),
    [
        ((), "Asked by Ana; nobody may approve it yet; open until Tue 1 Dec, 10:00"),
        (("Luis",), "Asked by Ana; can be approved by Luis; open until Tue 1 Dec, 10:00"),
        (("A", "B", "C", "D", "E"), "Asked by Ana; can be approved by A, B, C and 2 more; open until Tue 1 Dec, 10:00"),
    ],
)
def test_who_decides_until_when(approvers: tuple[str, ...], expected: str) -> None:
    card = proposal_card(replace(samples.proposal(WORDS["en"]), approvers=approvers))
    assert [plain(element.spans) for element in card.elements if isinstance(element, Small)] == [expected]


def test_a_first_revision_lists_no_change() -> None:
    card = proposal_card(replace(samples.proposal(WORDS["en"]), changes=()))
    assert not any(isinstance(element, Bullets) for element in card.elements)
    assert "Changed" not in render_text(card)
