from functools import cache

import pytest

from agent.understanding.taught import read_taught
from agent.values.personal import Meaning
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog
from tests.unit.agent.understanding.asking import ANALYST, TODAY


@cache
def catalog() -> Catalog:
    return load_catalog()


@pytest.mark.parametrize(
    ("sentence", "meaning"),
    [
        ("sales means processed amount", ("metric", "processed_amount", "sales", "payments")),
        ("by “money in” I mean processed amount", ("metric", "processed_amount", "money in", "payments")),
        ("plata significa monto procesado", ("metric", "processed_amount", "plata", "payments")),
        ("con plata me refiero a monto procesado", ("metric", "processed_amount", "plata", "payments")),
        ("выручка — это доля одобренных", ("metric", "approval_rate", "выручка", "payments")),
        ("под успехом я понимаю долю одобренных", ("metric", "approval_rate", "успехом", "payments")),
        ("way = channel", ("dimension", "channel", "way", "payments")),
        ("plastic is Visa", ("member", "brand=Visa", "plastic", "payments")),
        ("my language is Spanish", ("locale", "es", "", "")),
        ("respóndeme en inglés", ("locale", "en", "", "")),
        ("отвечай по-русски", ("locale", "ru", "", "")),
        ("I prefer horizontal bar charts", ("chart", "horizontal_bar", "", "")),
        ("prefiero gráficos de líneas", ("chart", "line", "", "")),
        ("я предпочитаю круговые диаграммы", ("chart", "pie", "", "")),
        ("show 20 rows", ("limit", "20", "", "")),
        ("mi límite es 15", ("limit", "15", "", "")),
        ("показывай 30 строк", ("limit", "30", "", "")),
        ("my usual period is last month", ("period", "last month", "", "")),
        ("mi periodo habitual es el mes pasado", ("period", "el mes pasado", "", "")),
        ("мой обычный период — прошлый месяц", ("period", "прошлый месяц", "", "")),
        ("I usually work with payments", ("domain", "payments", "", "")),
    ],
)
def test_a_sentence_teaches_one_thing(sentence: str, meaning: tuple[str, str, str, str]) -> None:
    taught = read_taught(sentence, catalog(), ANALYST, "en", TODAY).meaning
    assert taught is not None, sentence
    assert (taught.slot, taught.value, taught.words, taught.domain) == meaning


@pytest.mark.parametrize(
    "sentence",
    ["sales means moonshine", "I like you", "hello", "my usual period is channel", "show 0 rows", "= processed amount"],
)
def test_what_the_catalog_does_not_bear_out_is_not_taught(sentence: str) -> None:
    taught = read_taught(sentence, catalog(), ANALYST, "en", TODAY)
    assert taught.meaning is None
    assert taught.choices == ()


def test_what_the_person_may_not_see_cannot_be_named() -> None:
    assert read_taught("gain means gross margin", catalog(), ANALYST, "en", TODAY).meaning is None


def test_a_name_of_several_things_is_not_guessed() -> None:
    taught = read_taught("it means rate", catalog(), ANALYST, "en", TODAY)
    assert not isinstance(taught.meaning, Meaning)
