import pytest

from agent.understanding.mentions import Reading
from agent.understanding.tokens import tokenize
from agent.understanding.warehouse_names import index_names, near_names, with_names
from semantic_catalog.model import DimensionName

SHOPS = DimensionName("shop")
NAMES = ("Hotel San Martín", "Botica San Martín", "Bodega La Perla", *(f"Tienda Norte {n}" for n in range(1_000)))


def members_in(text: str) -> list[tuple[str, ...]]:
    """The members of each name found in the message, every word of it looked up."""
    tokens = tokenize(text)
    plain = Reading(tokens=tokens, locale="es", mentions=())
    reading = with_names(plain, SHOPS, index_names(NAMES), range(len(tokens)))
    return [tuple(term.value for term in mention.terms) for mention in reading.mentions]


@pytest.mark.parametrize("text", ["ventas de hotel san martin", "HOTEL SAN MARTÍN en octubre"])
def test_a_whole_name_is_found_without_accents_and_in_any_case(text: str) -> None:
    assert members_in(text) == [("Hotel San Martín",)]


def test_part_of_a_name_stands_for_every_member_that_has_it() -> None:
    assert members_in("ventas de San Martín") == [("Botica San Martín", "Hotel San Martín")]


def test_a_word_that_very_many_members_share_names_none_of_them() -> None:
    assert members_in("ventas de tienda") == []
    assert members_in("ventas de tienda norte 812") == [("Tienda Norte 812",)]


def test_the_nearest_names_are_offered_for_a_misspelt_one() -> None:
    assert near_names("bodga perla", index_names(NAMES)) == ("Bodega La Perla",)


def test_no_name_is_offered_for_a_word_that_very_many_share() -> None:
    assert near_names("tiendas", index_names(NAMES)) == ()
