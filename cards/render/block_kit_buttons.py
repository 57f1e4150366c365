"""Slack's buttons, and the language they speak."""

from collections.abc import Iterator
from typing import Any

from cards.actions import encode_action
from cards.elements import Actions, Button
from semantic_catalog.model import LOCALES, Locale

Json = dict[str, Any]


def buttons(actions: Actions) -> Iterator[Json]:
    """An actions block, when there are buttons. Ids are given by `numbered`."""
    if actions.buttons:
        yield {"type": "actions", "elements": [_button(button) for button in actions.buttons]}


def _button(button: Button) -> Json:
    style = {} if button.style == "default" else {"style": button.style}
    return {
        "type": "button",
        "action_id": button.action.verb,
        "text": {"type": "plain_text", "text": button.label, "emoji": False},
        "value": encode_action(button.action),
        **style,
    }


def numbered(blocks: list[Json], locale: Locale) -> list[Json]:
    """Every button gets an id of its own in the message, which also carries the card's language (`locale_of`)."""
    drawn = (element for block in blocks if block["type"] == "actions" for element in block["elements"])
    for index, button in enumerate(drawn):
        button["action_id"] = f"{button['action_id']}:{index}:{locale}"
    return blocks


def locale_of(action_id: str) -> Locale:
    """The language of the card whose button has this id: the language to ask further in."""
    ending = action_id.rpartition(":")[2]
    return next((locale for locale in LOCALES if locale == ending), "en")
