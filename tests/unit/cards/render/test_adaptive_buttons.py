from typing import Any

import pytest

from agent.values.identity import RunId
from agent.values.turn import CardAction
from cards.actions import MalformedAction, encode_action
from cards.render.adaptive import render_adaptive
from cards.render.adaptive_buttons import pressed_action
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import FINGERPRINT, RUN, WORDS

ENCODED = encode_action(CardAction(verb="approve", run=RunId("7F3K"), fingerprint="f"))


def proposal_actions() -> list[dict[str, Any]]:
    body = render_adaptive(cards(WORDS["en"])["proposal"])["body"]
    actions = [action for item in body if item["type"] == "ActionSet" for action in item["actions"]]
    return [action for action in actions if action["type"] != "Action.ToggleVisibility"]


def test_a_pressed_button_gives_its_action_back() -> None:
    approve, *_ = proposal_actions()
    assert pressed_action(approve["data"]) == CardAction(verb="approve", run=RUN, fingerprint=FINGERPRINT, value="2")


def test_the_typed_reason_comes_back_with_the_action() -> None:
    *_, reject = proposal_actions()
    (field,), (send,) = reject["card"]["body"], reject["card"]["actions"]
    sent = {**send["data"], field["id"]: "  wrong period "}
    assert pressed_action(sent) == CardAction(
        verb="reject", run=RUN, fingerprint=FINGERPRINT, value="2", text="wrong period"
    )


def test_the_kinds_of_chart_are_behind_one_button_that_opens_them() -> None:
    body = render_adaptive(cards(WORDS["en"])["answer"])["body"]
    rows = [item["actions"] for item in body if item["type"] == "ActionSet"]
    opening = next(action for row in rows for action in row if action["title"] == "Chart type")
    [kinds] = opening["card"]["body"]
    assert [kind["title"] for kind in kinds["actions"]] == ["Bars", "Pie", "Table only"]
    assert pressed_action(kinds["actions"][1]["data"]) == CardAction(verb="chart_type", run=RUN, value="pie")


def test_a_reason_may_be_left_empty() -> None:
    *_, reject = proposal_actions()
    assert pressed_action(reject["card"]["actions"][0]["data"]).text == ""


@pytest.mark.parametrize(
    "data",
    [
        None,
        "approve",
        [],
        {},
        {"action": 7},
        {"action": "approve"},
        {"action": ENCODED, "input": ["text_0"]},
        {"action": ENCODED, "input": "text_0", "text_0": 7},
    ],
)
def test_anything_else_is_malformed(data: object) -> None:
    with pytest.raises(MalformedAction):
        pressed_action(data)
