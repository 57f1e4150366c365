import pytest

from cards.build.clarification import clarification_card, clarified_card
from cards.elements import Actions
from cards.render.text import render_text
from tests.unit.cards import samples
from tests.unit.cards.samples import RUN, WORDS


def test_each_option_is_a_button_with_its_meaning() -> None:
    card = clarification_card(samples.clarification(WORDS["en"]))
    (actions,) = (element for element in card.elements if isinstance(element, Actions))
    assert [
        (item.label, item.hint, item.action.verb, item.action.run, item.action.value) for item in actions.buttons
    ] == [
        ("Gross margin", "revenue minus cost of sales", "choose", RUN, "gross_margin"),
        ("EBITDA margin", "EBITDA ÷ revenue", "choose", RUN, "ebitda_margin"),
    ]


@pytest.mark.parametrize(
    ("choice", "name", "line"),
    [
        ("ebitda_margin", "", "✓ EBITDA margin"),
        ("gross_margin", "Ana", "✓ Gross margin, chosen by Ana"),
        ("the net one", "", "✓ the net one"),
    ],
)
def test_the_answered_card_keeps_the_choice_and_loses_the_buttons(choice: str, name: str, line: str) -> None:
    text = render_text(clarified_card(samples.clarification(WORDS["en"]), choice, name))
    assert text == f"Which margin? Two are defined.\n\n{line}"
