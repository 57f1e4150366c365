import pytest

from cards.build import notices
from semantic_catalog.model import LOCALES, Locale


def test_a_stranger_learns_who_may() -> None:
    expected = "You can’t approve this. It can be approved by Ana or Luis. The card stays open."
    assert notices.stranger_notice("en", ("Ana", "Luis")) == expected


@pytest.mark.parametrize("locale", LOCALES)
def test_where_nobody_may_no_name_is_invented(locale: Locale) -> None:
    assert notices.stranger_notice(locale, ()) != notices.stranger_notice(locale, ("",))


@pytest.mark.parametrize("locale", LOCALES)
def test_an_unknown_person_gets_the_id_to_hand_on(locale: Locale) -> None:
    assert "U0123" in notices.unknown_person_notice(locale, "U0123")
