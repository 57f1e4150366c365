import pytest

from cards.render.adaptive import render_adaptive
from cards.render.block_kit import render_block_kit
from cards.render.text import render_text
from semantic_catalog.model import LOCALES, Locale
from tests.unit.cards.cases import NAMES, PICTURES, cards
from tests.unit.cards.samples import WORDS
from tests.unit.cards.snapshots import FOLDER, pretty, stored
from tests.validators.adaptive_cards import card_faults
from tests.validators.slack_blocks import message_faults

CASES = [(locale, name) for locale in LOCALES for name in NAMES]


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--snapshot-update"))


@pytest.mark.parametrize(("locale", "name"), CASES)
def test_card_in_slack(locale: Locale, name: str, update: bool) -> None:
    blocks, text = render_block_kit(cards(WORDS[locale])[name], PICTURES)
    drawn = pretty({"text": text, "blocks": blocks})
    assert message_faults(blocks, text) == []
    assert drawn == stored(f"{name}.{locale}.slack.json", drawn, update)


@pytest.mark.parametrize(("locale", "name"), CASES)
def test_card_in_teams(locale: Locale, name: str, update: bool) -> None:
    card = render_adaptive(cards(WORDS[locale])[name], PICTURES)
    drawn = pretty(card)
    assert card_faults(card) == []
    assert drawn == stored(f"{name}.{locale}.teams.json", drawn, update)


@pytest.mark.parametrize(("locale", "name"), CASES)
def test_card_as_text(locale: Locale, name: str, update: bool) -> None:
    drawn = render_text(cards(WORDS[locale])[name]) + "\n"
    assert drawn == stored(f"{name}.{locale}.txt", drawn, update)


def test_no_snapshot_is_left_of_a_card_that_is_gone() -> None:
    endings = ("slack.json", "teams.json", "txt")
    expected = {f"{name}.{locale}.{ending}" for locale, name in CASES for ending in endings}
    assert {path.name for path in FOLDER.iterdir()} == expected


def test_every_card_is_listed() -> None:
    assert tuple(cards(WORDS["en"])) == NAMES
