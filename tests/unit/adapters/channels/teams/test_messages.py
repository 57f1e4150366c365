import json
from dataclasses import replace
from typing import Any

import pytest

from adapters.channels.teams.messages import card_message, is_rated, rated_message
from agent.values.turn import CardAction
from cards.elements import Actions, Button, Card, Citation, Paragraph, Picture, Plot, Span
from cards.render.adaptive import Setting
from tests.fakes.teams.rules import message_faults
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS

ANSWER = cards(WORDS["en"])["answer"]
UP = Button(label="Good", action=CardAction(verb="thumbs_up"))
SQL = Button(label="SQL", action=CardAction(verb="show_sql"))
CARD = Card(
    kind="answer",
    fallback="86.9 %",
    elements=(Paragraph(spans=(Span(text="The rate was 86.9 %."),)), Actions(buttons=(UP, SQL))),
)
CITED = replace(CARD, is_model_written=True, citations=(Citation(title="Daily metrics", text="x" * 400),))


def sent(message: Any) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(message.serialize()))
    return written


def test_what_a_model_wrote_is_labelled_with_what_it_rests_on() -> None:
    message = sent(card_message(CITED, {}))
    [label] = message["entities"]
    assert label["additionalType"] == ["AIGeneratedContent"]
    assert label["citation"][0]["appearance"]["name"] == "Daily metrics"
    assert "86.9 %." in json.dumps(message)
    assert " [1]" in json.dumps(message["attachments"][0]["content"]["body"][0])
    assert message_faults(message, "personal") == []


def test_what_rules_wrote_carries_no_label() -> None:
    message = sent(card_message(replace(CITED, is_model_written=False), {}))
    assert "entities" not in message
    assert "[1]" not in json.dumps(message)


def test_teams_own_thumbs_stand_in_place_of_the_cards() -> None:
    assert is_rated(CARD)
    message = sent(rated_message(CARD, {}))
    assert message["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert "thumbs_up" not in json.dumps(message)
    assert "show_sql" in json.dumps(message)
    assert not is_rated(replace(CARD, elements=CARD.elements[:1]))


@pytest.mark.parametrize("kind", ["line", "bar", "lying", "pie"])
@pytest.mark.parametrize("series", [1, 3])
def test_a_chart_that_teams_draws_has_the_picture_for_other_clients(kind: Any, series: int) -> None:
    plot = Plot(
        kind=kind,
        labels=("POS", "Web"),
        series=tuple((f"S{number}", (1.5, None if number else 2.0)) for number in range(series)),
        title="By channel",
    )
    picture = next(part for part in ANSWER.elements if isinstance(part, Picture))
    card = replace(ANSWER, elements=(replace(picture, plot=plot),))
    pictures = {picture.attachment: "https://bot.example/files/x"}
    message = sent(card_message(card, pictures, Setting(native_charts=True)))
    [chart] = message["attachments"][0]["content"]["body"]
    assert chart["type"].startswith("Chart.")
    assert chart["fallback"]["type"] == "Image"
    assert message_faults(message, "channel") == []
    plain = sent(card_message(card, pictures))
    assert [node["type"] for node in plain["attachments"][0]["content"]["body"]] == ["Image"]
