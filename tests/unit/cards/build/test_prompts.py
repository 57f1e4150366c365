from typing import get_args

import pytest

from agent.values.turn import ActionVerb, CardAction
from cards.build.prompts import prompt_of
from cards.elements import Actions
from cards.limits import SLACK
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS


@pytest.mark.parametrize("locale", LOCALES)
def test_a_channel_finds_the_prompt_that_the_button_had(locale: Locale) -> None:
    shown = [
        button
        for card in cards(WORDS[locale]).values()
        for element in card.elements
        if isinstance(element, Actions)
        for button in element.buttons
    ]
    assert any(button.prompt for button in shown)
    assert [prompt_of(button.action, locale) for button in shown] == [button.prompt for button in shown]


@pytest.mark.parametrize("locale", LOCALES)
def test_prompts_fit_into_a_modal(locale: Locale) -> None:
    prompts = [prompt for verb in get_args(ActionVerb) if (prompt := prompt_of(CardAction(verb=verb), locale))]
    assert all(len(item.title) <= SLACK.modal_title for item in prompts)
    assert all(len(item.submit) <= SLACK.modal_submit for item in prompts)
    assert all(len(item.placeholder) <= SLACK.modal_placeholder for item in prompts)
