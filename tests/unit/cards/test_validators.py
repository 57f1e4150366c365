import copy
from collections.abc import Callable
from typing import Any

import pytest

from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit
from tests.unit.cards.cases import PICTURES, cards
from tests.unit.cards.samples import WORDS
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults, view_faults

Spoil = Callable[[Any], object]

SLACK_FAULTS: dict[str, Spoil] = {
    "too many blocks": lambda blocks: blocks.extend([{"type": "divider"}] * 50),
    "an unknown block": lambda blocks: blocks.append({"type": "hologram"}),
    "an unknown field": lambda blocks: blocks[0].update(colour="red"),
    "an empty text": lambda blocks: blocks.append({"type": "header", "text": {"type": "plain_text", "text": ""}}),
    "a long header": lambda blocks: blocks[0]["text"].update(text="x" * 151),
    "markup in a header": lambda blocks: blocks[0]["text"].update(type="mrkdwn"),
    "a long button value": lambda blocks: button_of(blocks).update(value="x" * 2001),
    "a long button label": lambda blocks: button_of(blocks)["text"].update(text="x" * 76),
    "an id used twice": lambda blocks: actions_of(blocks)["elements"].append(button_of(blocks)),
    "too many buttons": lambda blocks: actions_of(blocks).update(elements=[button_of(blocks)] * 26),
    "a mention in markup": lambda blocks: blocks.append(
        {"type": "section", "text": {"type": "mrkdwn", "text": "<!channel>"}}
    ),
    "two tables": lambda blocks: blocks.extend([{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}] * 2),
    "a wide table": lambda blocks: blocks.append({"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]}),
    "too much text": lambda blocks: blocks.extend(
        [{"type": "section", "text": {"type": "plain_text", "text": "x" * 3000}}] * 5
    ),
    "a picture from two places": lambda blocks: blocks.append(
        {"type": "image", "image_url": "https://x", "slack_file": {"id": "F"}, "alt_text": "x"}
    ),
    "a picture without words": lambda blocks: blocks.append({"type": "image", "image_url": "https://x"}),
}
TEAMS_FAULTS: dict[str, Spoil] = {
    "an unknown element": lambda card: card["body"].append({"type": "Hologram"}),
    "an unknown field": lambda card: card["body"][0].update(colour="red"),
    "a text that does not wrap": lambda card: card["body"][0].update(wrap=False),
    "a link in a text": lambda card: card["body"][0].update(text="[x](http://evil.example)"),
    "html in a text": lambda card: card["body"][0].update(text="<b>x</b>"),
    "a newer version": lambda card: card.update(version="1.6"),
    "an id used twice": lambda card: card["body"].append({**card["body"][3]}),
    "a fold that is not there": lambda card: card["body"][2]["actions"][0].update(targetElements=["fold_99"]),
    "a code block without a fallback": lambda card: card["body"][3]["items"][0].pop("fallback"),
    "too large": lambda card: card["body"].append(
        {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": "x" * 14_000}]}
    ),
    "a picture over plain http": lambda card: card["body"].append({"type": "Image", "url": "http://x", "altText": "x"}),
    "too many actions": lambda card: card["body"].append(
        {"type": "ActionSet", "actions": [card["body"][2]["actions"][0]] * 7}
    ),
}


def actions_of(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return next(block for block in blocks if block["type"] == "actions")


def button_of(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    first: dict[str, Any] = actions_of(blocks)["elements"][0]
    return first


@pytest.mark.parametrize("fault", SLACK_FAULTS)
def test_slack_would_refuse(fault: str) -> None:
    blocks, text = render_block_kit(cards(WORDS["en"])["proposal"], PICTURES)
    spoilt = copy.deepcopy(blocks)
    SLACK_FAULTS[fault](spoilt)
    assert message_faults(blocks, text) == []
    assert message_faults(spoilt, text) != []


@pytest.mark.parametrize("text", ["", None, "x" * 4001, "<!here> look"])
def test_slack_would_refuse_or_misread_the_notification(text: object) -> None:
    assert message_faults([{"type": "divider"}], text) != []


@pytest.mark.parametrize("fault", TEAMS_FAULTS)
def test_teams_would_refuse(fault: str) -> None:
    card = render_adaptive(cards(WORDS["en"])["proposal"], PICTURES)
    spoilt = copy.deepcopy(card)
    TEAMS_FAULTS[fault](spoilt)
    assert card_faults(card) == []
    assert card_faults(spoilt) != []


def test_a_modal_is_checked_too() -> None:
    field = {
        "type": "input",
        "block_id": "reason",
        "label": {"type": "plain_text", "text": "Reason"},
        "element": {"type": "plain_text_input", "action_id": "text", "multiline": True},
    }
    view = {"type": "modal", "title": {"type": "plain_text", "text": "Reject the query"}, "blocks": [field]}
    assert view_faults(view) == []
    assert view_faults({**view, "title": {"type": "plain_text", "text": "x" * 25}}) != []
    assert view_faults({**view, "private_metadata": "x" * 3001}) != []
    assert view_faults({**view, "blocks": [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}]}) != []
