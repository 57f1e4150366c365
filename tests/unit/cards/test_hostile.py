import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from agent.values.outcome import ReceiptLine
from agent.values.result import ResultColumn, ResultTable
from cards.actions import decode_action
from cards.build.answer import answer_card
from cards.build.proposal import proposal_card
from cards.build.sql import sql_card
from cards.elements import Bullets, Card, Code, Facts, Fold, Heading, Paragraph, Span, Table, TableColumn
from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit, render_home
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards import samples
from tests.unit.cards.cases import NAMES, PICTURES, cards
from tests.unit.cards.hostile import TEXTS, hostile_words
from tests.unit.cards.oversized import oversized
from tests.unit.cards.samples import FINGERPRINT, WORDS
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults, view_faults


def faults(card: Card) -> list[str]:
    return [*message_faults(*render_block_kit(card, PICTURES)), *card_faults(render_adaptive(card, PICTURES))]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_no_text_breaks_a_card(locale: Locale, kind: str, name: str) -> None:
    assert faults(cards(hostile_words(locale, TEXTS[kind]))[name]) == []


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_takes_the_buttons_from_a_proposal(kind: str) -> None:
    card = proposal_card(samples.proposal(hostile_words("en", TEXTS[kind])))
    slack = [decode_action(value) for value in held(render_block_kit(card)[0], "value")]
    teams = [decode_action(value) for value in held(render_adaptive(card), "action")]
    expected = [(verb, FINGERPRINT) for verb in ("approve", "change", "reject")]
    assert [(item.verb, item.fingerprint) for item in slack if item.verb != "show_sql"] == expected
    assert {(item.verb, item.fingerprint) for item in teams} == set(expected)


@pytest.mark.parametrize("kind", ["right_to_left", "controls"])
def test_characters_that_hide_or_reorder_are_written_out(kind: str) -> None:
    card = proposal_card(samples.proposal(hostile_words("en", TEXTS[kind])))
    drawn = json.dumps(render_block_kit(card)) + json.dumps(render_adaptive(card)) + json.dumps(render_text(card))
    assert "<U+" in drawn
    assert not any(escape in drawn for escape in ("\\u202e", "\\u202c", "\\u0000", "\\u0007", "\\u001b", "\\u007f"))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_card_with_more_of_everything_than_a_platform_takes(locale: Locale) -> None:
    words = hostile_words(locale, "many <words> *of* [all](http://evil.example) kinds", times=40)
    proposal = samples.proposal(words)
    receipt = replace(proposal.receipt, lines=(ReceiptLine(key="measure", value="x " * 400),) * 80)
    proposal = replace(proposal, receipt=receipt, changes=("y " * 300,) * 60, approvers=("Ana",) * 90)
    columns = tuple(
        ResultColumn(name=f"c{index}", label=f"Column {index} " * 9, role="other", type="text") for index in range(40)
    )
    table = ResultTable(columns=columns, rows=(("cell " * 80,) * 40,) * 300)
    answer = samples.answer(words, row_count=300)
    assert faults(proposal_card(proposal)) == []
    assert faults(answer_card(answer, table, samples.attachments(words))) == []
    assert faults(cards(words)["clarification"]) == []


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_card_beyond_every_limit_is_sent_with_its_buttons(locale: Locale, name: str) -> None:
    card = cards(WORDS[locale])[name]
    grown = oversized(card)
    assert faults(grown) == []
    assert view_faults({"type": "home", "blocks": render_home((grown, grown))}) == []
    expected = pressable(render_block_kit(card, PICTURES)[0])
    assert pressable(render_block_kit(grown, PICTURES)[0]) >= expected
    assert set(held(render_adaptive(grown), "verb")) >= set(held(render_adaptive(card), "verb"))


def pressable(blocks: list[dict[str, Any]]) -> set[str]:
    """What the message's buttons and choices do, other than showing what was cut."""
    return {each.partition(":")[0] for each in held(blocks, "action_id")} - {"show_sql"}


@pytest.mark.parametrize("locale", LOCALES)
def test_any_card_is_cut_to_the_platforms(locale: Locale) -> None:
    wide = Table(columns=(TableColumn(label="c", numeric=True),) * 60, rows=(("9" * 500,) * 60,) * 400, note="n" * 9000)
    text = (Span(text="word " * 4000, bold=True), Span(text="more", code=True))
    parts = (
        Facts(items=(("label " * 50, "value " * 900),) * 90),
        Bullets(items=(text,) * 90),
        Code(text="SELECT 1,\n" * 5000),
    )
    elements = (
        Heading(text="h" * 900),
        Paragraph(spans=text),
        wide,
        wide,
        Fold(title="f" * 300, elements=parts),
        *parts,
    )
    assert faults(Card(kind="reply", elements=elements * 8, fallback="<!channel>" * 5000, locale=locale)) == []


def test_what_is_cut_is_said() -> None:
    words = replace(WORDS["en"], sql="\n".join(f"SELECT {index}," for index in range(3000)))
    card = proposal_card(samples.proposal(words))
    assert "lines fit in this message" in json.dumps(render_block_kit(sql_card(words.sql, "en")))
    assert "lines fit in this message" in json.dumps(render_adaptive(card))
    assert render_text(card).count("SELECT") == 3000


def test_short_sql_is_never_cut() -> None:
    card = proposal_card(samples.proposal(WORDS["en"]))
    assert WORDS["en"].sql in held(render_block_kit(card)[0], "text")
    assert list(held(render_adaptive(card), "codeSnippet")) == [WORDS["en"].sql]


def held(node: object, name: str) -> Iterator[str]:
    """Every string stored under `name`, in order."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from [value] if key == name and isinstance(value, str) else held(value, name)
    elif isinstance(node, list):
        for item in node:
            yield from held(item, name)
