import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.values.identity import RunId
from agent.values.turn import ActionVerb, CardAction
from cards.actions import MAX_LENGTH, MalformedAction, decode_action, encode_action, fits

short = st.text(max_size=60)


@given(verb=st.sampled_from(get_args(ActionVerb)), run=st.none() | short.filter(bool), text=short, value=short)
def test_an_action_survives_the_button(verb: ActionVerb, run: str | None, text: str, value: str) -> None:
    action = CardAction(verb=verb, run=RunId(run) if run else None, fingerprint="f" * 64, value=value, text=text)
    assert fits(action)
    assert decode_action(encode_action(action)) == action


def test_an_approval_is_short() -> None:
    encoded = encode_action(CardAction(verb="approve", run=RunId("7F3K"), fingerprint="a" * 64))
    assert encoded == '{"v":1,"a":"approve","r":"7F3K","f":"' + "a" * 64 + '"}'


def test_an_action_longer_than_a_button_does_not_fit() -> None:
    assert not fits(CardAction(verb="ask", value="x" * MAX_LENGTH))


@pytest.mark.parametrize(
    "encoded",
    [
        "",
        "approve",
        "[]",
        "null",
        '"approve"',
        "{}",
        '{"a":"approve"}',
        '{"v":2,"a":"approve"}',
        '{"v":true,"a":"approve"}',
        '{"v":"1","a":"approve"}',
        '{"v":1}',
        '{"v":1,"a":"drop_tables"}',
        '{"v":1,"a":["approve"]}',
        '{"v":1,"a":"approve","r":7}',
        '{"v":1,"a":"approve","sql":"SELECT 1"}',
        '{"v":1,"a":"approve","r":"7F3K"',
        "[" * 1990,
        json.dumps({"v": 1, "a": "ask", "p": "x" * MAX_LENGTH}),
    ],
)
def test_anything_else_is_malformed(encoded: str) -> None:
    with pytest.raises(MalformedAction):
        decode_action(encoded)
