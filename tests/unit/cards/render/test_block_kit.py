import pytest

from agent.values.turn import CardAction
from cards.elements import Actions, Button, Card, Picture, Table, TableColumn
from cards.render.block_kit import escape, render_block_kit
from cards.render.block_kit_buttons import locale_of
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards.cases import cards
from tests.unit.cards.samples import WORDS


def picture_card() -> Card:
    return Card(kind="answer", elements=(Picture(attachment="chart", alt="Bars"),), fallback="f")


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        ({"chart": "https://bot.example/c.png"}, {"image_url": "https://bot.example/c.png"}),
        ({"chart": "F0123"}, {"slack_file": {"id": "F0123"}}),
    ],
)
def test_a_picture_is_an_address_or_a_file(pictures: dict[str, str], expected: dict[str, object]) -> None:
    (block,), _ = render_block_kit(picture_card(), pictures)
    assert block == {"type": "image", **expected, "alt_text": "Bars"}


def test_a_picture_that_is_nowhere_is_not_drawn() -> None:
    assert render_block_kit(picture_card())[0] == []


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("<!channel> & co", 99, "&lt;!channel&gt; &amp; co"),
        ("abcdef", 4, "abc…"),
        ("<<<<<<<<<<", 20, "&lt;&lt;&lt;…"),
    ],
)
def test_notification_text_is_escaped_and_short(text: str, limit: int, expected: str) -> None:
    assert escape(text, limit) == expected


def test_button_ids_are_unique_in_the_message_and_tell_the_language() -> None:
    buttons = tuple(Button(label="x", action=CardAction(verb="ask", value=str(index))) for index in range(3))
    card = Card(kind="reply", elements=(Actions(buttons=buttons), Actions(buttons=buttons)), fallback="f", locale="ru")
    ids = [element["action_id"] for block in render_block_kit(card)[0] for element in block["elements"]]
    assert ids == [f"ask:{index}:ru" for index in range(6)]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_language_is_read_back_from_a_button(locale: Locale) -> None:
    blocks, _ = render_block_kit(cards(WORDS[locale])["proposal"])
    ids = [element["action_id"] for block in blocks if block["type"] == "actions" for element in block["elements"]]
    assert {locale_of(action_id) for action_id in ids} == {locale}


def test_a_foreign_button_id_reads_as_english() -> None:
    assert locale_of("whatever") == "en"


def test_a_second_table_becomes_text() -> None:
    table = Table(
        columns=(TableColumn(label="Brand"), TableColumn(label="Count", numeric=True)), rows=(("Visa", "12"),)
    )
    blocks, _ = render_block_kit(Card(kind="reply", elements=(table, table), fallback="f"))
    assert [block["type"] for block in blocks] == ["table", "rich_text"]
    assert blocks[1]["elements"][0]["elements"][0]["text"] == "Brand  Count\nVisa      12"


def test_numbers_stand_to_the_right() -> None:
    blocks, _ = render_block_kit(cards(WORDS["en"])["answer"])
    (table,) = (block for block in blocks if block["type"] == "table")
    assert [setting["align"] for setting in table["column_settings"]] == ["left", "right"]
