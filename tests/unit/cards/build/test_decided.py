from dataclasses import replace

import pytest

from agent.values.identity import PrincipalId
from cards.build.decided import decided_card, outdated_card, overtaken_card, rejected_card
from cards.build.proposal import proposal_card
from cards.elements import Actions, Card, Notice
from cards.render.text import plain
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards import samples
from tests.unit.cards.samples import WORDS


def first_line(card: Card) -> str:
    first = card.elements[0]
    assert isinstance(first, Notice)
    return plain(first.spans)


@pytest.mark.parametrize(
    ("locale", "kind", "expected"),
    [
        ("en", "approve", "✓ Approved by Luis at 10:02"),
        ("es", "approve", "✓ Aprobado por Luis a las 10:02"),
        ("ru", "approve", "✓ Утверждено: Luis, 10:02"),
        ("en", "reject", "Rejected by Luis: “wrong period”"),
        ("es", "reject", "Rechazado por Luis: «período equivocado»"),
        ("ru", "reject", "Отклонено, Luis: «не тот период»"),
        ("en", "expire", "Expired"),
        ("en", "change", "Replaced by a newer version"),
        ("en", "cancel", "Cancelled by Luis"),
    ],
)
def test_the_first_line_says_what_was_decided(locale: Locale, kind: str, expected: str) -> None:
    words = WORDS[locale]
    assert first_line(decided_card(samples.proposal(words), samples.decision(words, kind))) == expected


def test_a_rejection_without_a_reason_says_when() -> None:
    decision = replace(samples.decision(WORDS["en"], "reject"), text="")
    assert first_line(decided_card(samples.proposal(WORDS["en"]), decision)) == "Rejected by Luis at 10:02"


def test_a_policy_signs_by_its_name() -> None:
    decision = replace(samples.decision(WORDS["en"]), by=PrincipalId("policy:trusted"), by_name="")
    assert first_line(decided_card(samples.proposal(WORDS["en"]), decision)) == "✓ Approved by policy trusted at 10:02"


def test_an_approval_of_the_kind_signs_by_the_name_of_who_gave_it() -> None:
    decision = replace(samples.decision(WORDS["en"]), by=PrincipalId("standing:Olga"), by_name="")
    line = first_line(decided_card(samples.proposal(WORDS["en"]), decision))
    assert line == "✓ Approved by the standing approval of Olga at 10:02"


@pytest.mark.parametrize("locale", LOCALES)
def test_what_was_approved_and_not_run_says_why(locale: Locale) -> None:
    words = WORDS[locale]
    card = outdated_card(samples.proposal(words), samples.decision(words), words.refusal)
    assert words.refusal in first_line(card)
    assert "10:02" in first_line(card)
    assert not any(isinstance(element, Actions) for element in card.elements)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_body_stays_and_the_buttons_go(locale: Locale) -> None:
    proposal = samples.proposal(WORDS[locale])
    decided = decided_card(proposal, samples.decision(WORDS[locale]))
    body = [element for element in proposal_card(proposal).elements if not isinstance(element, Actions)]
    assert list(decided.elements[1:]) == body[:-1]


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("reject", "Luis", "Rejected by Luis: “wrong period”"),
        ("cancel", "Luis", "Cancelled by Luis"),
        ("cancel", "", "Cancelled"),
        ("expire", "", "Expired"),
        ("superseded", "", "Replaced by a newer version"),
    ],
)
def test_an_ended_question_in_one_line(kind: str, name: str, expected: str) -> None:
    rejected = replace(samples.rejected(WORDS["en"], kind), by_name=name)
    assert first_line(rejected_card(rejected)) == expected


@pytest.mark.parametrize(("kind", "expected"), [("cancel", "Cancelled by Luis"), ("approve", "✓ Approved by Luis")])
def test_a_proposal_that_was_decided_before_it_was_seen_says_so(kind: str, expected: str) -> None:
    proposal, decision = samples.proposal(WORDS["en"]), samples.decision(WORDS["en"], kind)
    card = overtaken_card(proposal, replace(decision, revision=proposal.revision), decision.at)
    assert first_line(card).startswith(expected)


def test_a_proposal_that_was_changed_before_it_was_seen_was_replaced() -> None:
    proposal, decision = samples.proposal(WORDS["en"]), samples.decision(WORDS["en"])
    newer = replace(decision, revision=proposal.revision + 1)
    assert first_line(overtaken_card(proposal, newer, decision.at)) == "Replaced by a newer version"
