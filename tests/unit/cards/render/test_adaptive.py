import pytest

from cards.elements import Card, Picture
from cards.render.adaptive import render_adaptive
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS


@pytest.mark.parametrize("address", ["https://bot.example/c.png", "data:image/png;base64,iVBORw0="])
def test_a_picture_is_an_address(address: str) -> None:
    card = Card(kind="answer", elements=(Picture(attachment="chart", alt="Bars"),), fallback="f")
    (image,) = render_adaptive(card, {"chart": address})["body"]
    assert (image["url"], image["altText"]) == (address, "Bars")
    assert render_adaptive(card)["body"] == []


def test_a_large_picture_does_not_cost_the_card_its_text() -> None:
    card = cards(WORDS["en"])["answer"]
    small, large = (render_adaptive(card, {"chart": "data:image/png;base64," + "A" * size}) for size in (4, 60_000))
    texts = [[item for item in drawn["body"] if item["type"] != "Image"] for drawn in (small, large)]
    assert texts[0] == texts[1]


def test_the_sql_is_closed_until_it_is_asked_for() -> None:
    body = render_adaptive(cards(WORDS["en"])["proposal"])["body"]
    (fold,) = (item for item in body if item.get("isVisible") is False)
    (toggle,) = (
        action
        for item in body
        if item["type"] == "ActionSet"
        for action in item["actions"]
        if "targetElements" in action
    )
    assert toggle["targetElements"] == [fold["id"]]
    assert fold["items"][0]["codeSnippet"] == WORDS["en"].sql


def test_old_clients_get_a_submit_with_the_same_data() -> None:
    body = render_adaptive(cards(WORDS["en"])["failure"])["body"]
    (action,) = (action for item in body if item["type"] == "ActionSet" for action in item["actions"])
    assert action["type"] == "Action.Execute"
    assert action["fallback"]["type"] == "Action.Submit"
    assert action["fallback"]["data"] == action["data"]
