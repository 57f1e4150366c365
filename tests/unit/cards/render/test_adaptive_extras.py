import json
from dataclasses import replace
from typing import Any

import pytest

from agent.values.identity import ExternalUser, RunId, TenantId, UserId
from agent.values.turn import CardAction
from cards.actions import MalformedAction, encode_action
from cards.build.forms import change_form
from cards.elements import Actions, Button, Card, Paragraph, Span
from cards.forms import ContradictoryForm, Form, FormField
from cards.render.adaptive import Setting, render_adaptive
from cards.render.adaptive_buttons import pressed_action
from cards.render.adaptive_refresh import refreshed_action
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS, proposal
from tests.validators.adaptive_cards import card_faults

CHANGE = CardAction(verb="change", run=RunId("RUN7"), fingerprint="f00d", value="1")
CARD = Card(kind="proposal", fallback="Sales", elements=(Actions(buttons=(Button(label="Change…", action=CHANGE),)),))
SQL = "SELECT 1\n  FROM t"
FORM = Form(
    title="Change",
    submit="Send",
    note="The SQL is shown below.",
    fields=(
        FormField(key="period", label="Period", kind="choice", options=(("last 7 days", "last 7 days"),)),
        FormField(key="limit", label="Rows", kind="choice", options=(("5", "limit 5"), ("five", "limit 5"))),
        FormField(key="text", label="In words", hint="or “undo”"),
        FormField(key="sql", label="SQL", kind="code", initial=SQL),
    ),
)
ANA = ExternalUser(
    channel="teams",
    tenant=TenantId("t"),
    user_id=UserId("a11ce000-0000-4000-8000-000000000001"),
    display_name="Ana <b>*Torres*</b>",
)


def drawn(form: Form = FORM) -> dict[str, Any]:
    return render_adaptive(CARD, setting=Setting(forms={encode_action(CHANGE): form}))


def sent(**values: str) -> dict[str, Any]:
    [unfolding] = drawn()["body"][0]["actions"]
    data = unfolding["card"]["actions"][0]["data"]
    before = {"sql": SQL, **values}
    return {**data, **{target: before.get(key, "") for key, target in data["fields"].items()}}


def test_a_form_unfolds_under_its_button() -> None:
    card = drawn()
    assert card_faults(card) == []
    [unfolding] = card["body"][0]["actions"]
    kinds = [node["type"] for node in unfolding["card"]["body"]]
    assert kinds == ["RichTextBlock", "Input.ChoiceSet", "Input.ChoiceSet", "Input.Text", "RichTextBlock", "Input.Text"]
    assert [len(node.get("choices", [])) for node in unfolding["card"]["body"]] == [0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, ""),
        ({"text": "only Visa"}, "only Visa"),
        ({"period": "last 7 days", "limit": "limit 5"}, "last 7 days; limit 5"),
        ({"sql": "SELECT 1\r\nFROM t"}, ""),
        ({"sql": "SELECT 2"}, "SELECT 2"),
    ],
)
def test_what_was_filled_in_comes_back_with_the_action(values: dict[str, str], text: str) -> None:
    assert pressed_action(sent(**values)) == replace(CHANGE, text=text)


def test_sql_and_words_at_once_contradict_each_other() -> None:
    with pytest.raises(ContradictoryForm):
        pressed_action(sent(sql="SELECT 2", text="only Visa"))


@pytest.mark.parametrize("fields", [None, [], "x", {"text": 5}, {"text": ["a"]}])
def test_a_form_that_is_not_ours_is_malformed(fields: object) -> None:
    with pytest.raises(MalformedAction):
        pressed_action({**sent(), "fields": fields})


def test_a_field_that_holds_no_text_is_malformed() -> None:
    data = sent()
    with pytest.raises(MalformedAction):
        pressed_action({**data, data["fields"]["text"]: {"a": 1}})


def test_the_largest_form_with_sixty_viewers_fits_a_card() -> None:
    large = proposal(WORDS["ru"])
    sql = "SELECT " + ", ".join(f"колонка_{number}" for number in range(180))
    shown = replace(large, query=replace(large.query, sql=sql))
    form = change_form(shown, tuple(f"Измерение {number}" for number in range(200)))
    setting = Setting(
        forms={encode_action(action): form for action in _actions(cards(WORDS["ru"])["proposal"])},
        viewers=tuple(f"29:{'x' * 100}{number}" for number in range(60)),
        refreshing=CHANGE,
    )
    assert card_faults(render_adaptive(cards(WORDS["ru"])["proposal"], setting=setting)) == []


def _actions(card: Card) -> list[CardAction]:
    rows = [part.buttons for part in card.elements if isinstance(part, Actions)]
    return [button.action for row in rows for button in row if button.action.verb == "change"]


def test_a_refresh_carries_what_is_shown_and_is_no_button() -> None:
    card = render_adaptive(CARD, setting=Setting(viewers=("29:ana",), refreshing=CHANGE))
    assert card_faults(card) == []
    assert refreshed_action(card["refresh"]["action"]["data"]) == CHANGE
    with pytest.raises(MalformedAction):
        pressed_action(card["refresh"]["action"]["data"])


@pytest.mark.parametrize("data", [None, [], {}, {"refresh": 5}, {"refresh": "{"}, {"action": encode_action(CHANGE)}])
def test_a_refresh_that_is_not_ours_is_malformed(data: object) -> None:
    with pytest.raises(MalformedAction):
        refreshed_action(data)


@pytest.mark.parametrize("viewers", [(), tuple(f"29:{number}" for number in range(61))])
def test_nobody_or_too_many_people_are_no_viewers(viewers: tuple[str, ...]) -> None:
    assert "refresh" not in render_adaptive(CARD, setting=Setting(viewers=viewers, refreshing=CHANGE))


def test_a_question_back_names_who_has_to_answer() -> None:
    asked = Card(kind="clarification", fallback="Which?", elements=(Paragraph(spans=(Span(text="Which?"),)),))
    card = render_adaptive(replace(asked, addressee=ANA))
    assert card_faults(card) == []
    assert card["body"][0]["text"] == "<at>Ana bTorres/b</at>"
    assert card["msteams"]["entities"][0]["mentioned"] == {"id": ANA.user_id, "name": "Ana bTorres/b"}
    for nobody in (replace(ANA, channel="slack"), replace(ANA, user_id=UserId("x")), replace(ANA, display_name="<>")):
        assert "<at>" not in json.dumps(render_adaptive(replace(asked, addressee=nobody)))
    assert "<at>" not in json.dumps(render_adaptive(replace(asked, kind="reply", addressee=ANA)))
