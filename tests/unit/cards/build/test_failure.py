from dataclasses import replace

from cards.build.failure import failure_card
from cards.elements import Actions
from cards.render.text import render_text
from tests.unit.cards import samples
from tests.unit.cards.samples import RUN, WORDS


def test_a_failure_has_a_reference_and_retry() -> None:
    card = failure_card(samples.failure(WORDS["en"]))
    actions = [button.action for item in card.elements if isinstance(item, Actions) for button in item.buttons]
    assert [(action.verb, action.run) for action in actions] == [("retry", RUN)]
    assert "Reference 7F3K" in render_text(card)


def test_what_cannot_be_retried_has_no_button() -> None:
    card = failure_card(replace(samples.failure(WORDS["en"]), may_retry=False))
    assert not any(isinstance(item, Actions) for item in card.elements)
