import json

from microsoft_teams.cards import core

from cards.render.adaptive_json import card_json


def test_a_card_is_written_under_its_schema_without_what_was_not_set() -> None:
    assert card_json(core.AdaptiveCard(version="1.5", body=[core.TextBlock(text="a", wrap=True)])) == {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.5",
        "body": [{"type": "TextBlock", "text": "a", "wrap": True}],
    }


def test_what_was_set_to_nothing_is_written() -> None:
    (cell, box) = card_json(core.AdaptiveCard(body=[core.TableCell(items=[]), core.TextInput(value="")]))["body"]
    assert (cell["items"], box["value"]) == ([], "")


def test_whole_numbers_are_written_without_a_point() -> None:
    body: list[core.CardElement] = [core.TextInput(max_length=4000), core.Column(width=0.5)]
    drawn = json.dumps(card_json(core.AdaptiveCard(body=body))["body"])
    assert '"maxLength": 4000}' in drawn
    assert '"width": 0.5}' in drawn


def test_parts_keep_their_own_fields_and_names() -> None:
    send = core.ExecuteAction(verb="go", data={"action": "x_y"}, fallback=core.SubmitAction(title="Go"))
    inner = core.AdaptiveCard(version="1.5", actions=[send])
    (show,) = card_json(core.AdaptiveCard(actions=[core.ShowCardAction(title="Open", card=inner)]))["actions"]
    assert show["card"] == {
        "type": "AdaptiveCard",
        "version": "1.5",
        "actions": [
            {
                "type": "Action.Execute",
                "verb": "go",
                "data": {"action": "x_y"},
                "fallback": {"type": "Action.Submit", "title": "Go"},
            }
        ],
    }
