from dataclasses import replace
from typing import Any

import pytest

from agent.values.identity import RunId
from agent.values.turn import CardAction
from cards.actions import MalformedAction, decode_action
from cards.build.access import access_card
from cards.build.sql import sql_file
from cards.elements import Actions, Button, Card, Code, Fold
from cards.render.block_kit import render_block_kit, render_home
from cards.render.block_kit_buttons import BUTTONS_IN_A_ROW, chosen_action, locale_of
from cards.render.block_kit_elements import FOLDED_CHARACTERS, FOLDED_LINES
from semantic_catalog.model import LOCALES
from tests.unit.cards.cases import cards
from tests.unit.cards.hostile import TEXTS, hostile_words
from tests.validators.slack_blocks import message_faults, view_faults

RUN = RunId("7F3K")


def choices(count: int, value: str = "option {}") -> Actions:
    buttons = tuple(
        Button(
            label=f"Option {number}",
            action=CardAction(verb="choose", run=RUN, value=value.format(number)),
            hint="What it means",
        )
        for number in range(count)
    )
    return Actions(buttons=buttons, placeholder="Choose")


def named(actions: Actions) -> Actions:
    return Actions(buttons=tuple(replace(button, listed_as="Chart type") for button in actions.buttons))


def drawn(*actions: Actions) -> list[dict[str, Any]]:
    blocks, text = render_block_kit(Card(kind="clarification", elements=actions, fallback="f", locale="ru"))
    assert message_faults(blocks, text) == []
    return blocks


def test_few_choices_are_buttons_with_their_meanings_above() -> None:
    hints, row = drawn(choices(BUTTONS_IN_A_ROW))
    assert (hints["type"], row["type"]) == ("rich_text", "actions")
    assert len(row["elements"]) == BUTTONS_IN_A_ROW


def test_more_choices_are_a_select_whose_option_means_what_its_button_would() -> None:
    [row] = drawn(choices(BUTTONS_IN_A_ROW + 1))
    [select] = row["elements"]
    assert (select["type"], select["placeholder"]["text"]) == ("static_select", "Choose")
    chosen = select["options"][5]
    assert chosen["description"]["text"] == "What it means"
    action = decode_action(chosen_action(select["action_id"], chosen["value"]))
    assert action == CardAction(verb="choose", run=RUN, value="option 5")
    assert locale_of(select["action_id"]) == "ru"


def test_one_choice_of_few_is_a_select_too_but_never_of_one() -> None:
    [row] = drawn(named(choices(2)))
    assert [element["type"] for element in row["elements"]] == ["static_select"]
    assert row["elements"][0]["placeholder"]["text"] == "Chart type"
    hint, row = drawn(named(choices(1)))
    assert (hint["type"], [element["type"] for element in row["elements"]]) == ("rich_text", ["button"])


def test_choices_that_no_option_holds_stay_buttons() -> None:
    row = drawn(choices(BUTTONS_IN_A_ROW + 1, "{}" + "x" * 150))[-1]
    assert {element["type"] for element in row["elements"]} == {"button"}


def test_a_select_of_another_version_is_not_read() -> None:
    with pytest.raises(MalformedAction):
        chosen_action('forged":0:en', "x")


def test_a_single_thumb_stays_a_button() -> None:
    up = Button(label="👍", action=CardAction(verb="thumbs_up", run=RUN))
    [row] = drawn(Actions(buttons=(up,)))
    assert row["type"] == "actions"


def test_long_sql_in_a_fold_shows_its_beginning_and_a_button_for_all_of_it() -> None:
    more = Button(label="Show SQL", action=CardAction(verb="show_sql", run=RUN))
    long = "\n".join(f"SELECT {number}," for number in range(FOLDED_LINES * 3))
    fold = Fold(title="SQL", elements=(Code(text=long),), more=more)
    blocks, _ = render_block_kit(Card(kind="proposal", elements=(fold,), fallback="f"))
    title, code = blocks
    assert title["accessory"]["action_id"] == "show_sql:0:en"
    text = code["elements"][0]["elements"][0]["text"]
    assert text.startswith("SELECT 0,")
    assert text.endswith("…")
    assert len(text) <= FOLDED_CHARACTERS


def test_short_sql_in_a_fold_is_whole() -> None:
    more = Button(label="Show SQL", action=CardAction(verb="show_sql", run=RUN))
    fold = Fold(title="SQL", elements=(Code(text="SELECT 1"),), more=more)
    blocks, _ = render_block_kit(Card(kind="proposal", elements=(fold,), fallback="f"))
    assert [block["type"] for block in blocks] == ["context", "rich_text"]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_breaks_a_home_tab_or_a_request_for_access(locale: str, kind: str) -> None:
    known = next(item for item in LOCALES if item == locale)
    shown = tuple(cards(hostile_words(known, TEXTS[kind])).values())
    assert view_faults({"type": "home", "blocks": render_home(shown)}) == []
    text = TEXTS[kind]
    request = access_card(who=text, question=text, reason=text, sql=text, run=RUN, locale=known)
    assert message_faults(*render_block_kit(request)) == []


def test_sql_as_a_file_is_the_sql_word_for_word() -> None:
    file = sql_file("SELECT «1»", RUN, "1")
    assert (file.content.decode(), file.name) == ("SELECT «1»", "countersign-7F3K.sql")
