from typing import get_args

import pytest

from adapters.channels.console.inbound import Typed, action_to_turn, keys_of, line_to_turn
from agent.values.turn import ActionVerb, CardAction, TurnKind
from cards.actions import turn_kind
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import NOW, RUN, WORDS

TYPED = Typed(user="analyst", thread="demo", event_id="e1", at=NOW)


def test_a_line_is_a_message_of_its_author() -> None:
    turn = line_to_turn("  approval rate by channel ", TYPED)
    assert (turn.kind, turn.text, turn.thread, turn.event_id) == (
        "message",
        "approval rate by channel",
        "console:demo",
        "e1",
    )
    assert (turn.author.channel, turn.author.tenant, turn.author.user_id) == ("console", "local", "analyst")
    assert turn.received_at == NOW


@pytest.mark.parametrize(
    ("verb", "kind"),
    [
        ("approve", "decision"),
        ("reject", "decision"),
        ("change", "decision"),
        ("choose", "choice"),
        ("cancel", "cancel"),
        ("ask", "feedback"),
        ("show_sql", "feedback"),
        ("thumbs_up", "feedback"),
        ("retry", "feedback"),
    ],
)
def test_a_pressed_key_is_a_turn_of_its_kind(verb: ActionVerb, kind: TurnKind) -> None:
    action = CardAction(verb=verb, run=RUN, text="why")
    turn = action_to_turn(action, TYPED)
    assert (turn.kind, turn.action, turn.text) == (kind, action, "")


def test_every_verb_has_a_kind() -> None:
    assert all(turn_kind(CardAction(verb=verb)) for verb in get_args(ActionVerb))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("proposal", {"a": "approve", "c": "change", "r": "reject"}),
        ("decided_approve", {}),
        ("clarification", {"1": "choose", "2": "choose"}),
        ("progress", {"x": "cancel"}),
        (
            "answer",
            {
                **dict.fromkeys("123", "chart_type"),
                "4": "drill_down",
                "5": "show_sql",
                "6": "export",
                "7": "thumbs_up",
                "8": "thumbs_down",
                **dict.fromkeys(("9", "10", "11"), "ask"),
            },
        ),
    ],
)
def test_keys_of_a_card(name: str, expected: dict[str, str]) -> None:
    keys = keys_of(cards(WORDS["en"])[name])
    assert {key: button.action.verb for key, button in keys.items()} == expected


def test_no_card_has_no_keys() -> None:
    assert keys_of(None) == {}
