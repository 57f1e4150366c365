import pytest

from agent.values.outcome import Outcome
from cards.build.outcome import outcome_card
from cards.elements import CardKind, Table
from tests.unit.cards import samples
from tests.unit.cards.samples import WORDS

EN = WORDS["en"]


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (samples.answer(EN), "answer"),
        (samples.proposal(EN), "proposal"),
        (samples.clarification(EN), "clarification"),
        (samples.reply(EN), "reply"),
        (samples.refusal(EN), "refusal"),
        (samples.rejected(EN), "decided"),
        (samples.no_data(EN), "no_data"),
        (samples.failure(EN), "failure"),
    ],
)
def test_different_endings_are_different_cards(outcome: Outcome, kind: CardKind) -> None:
    card = outcome_card(outcome)
    assert card.kind == kind
    assert card.locale == "en"
    assert card.fallback


def test_an_answer_is_drawn_from_its_rows_or_from_its_sample() -> None:
    rows = {
        count: next(
            len(item.rows) for item in outcome_card(samples.answer(EN), table).elements if isinstance(item, Table)
        )
        for count, table in {4: None, 7: samples.table(EN, 7)}.items()
    }
    assert rows == {4: 4, 7: 7}
