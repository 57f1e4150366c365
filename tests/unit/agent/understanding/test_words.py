import pytest

from agent.understanding.language import detect
from agent.understanding.lexicon import build_lexicon
from agent.understanding.patterns import compile_pattern, index_patterns
from agent.understanding.spelling import Speller, nearest_word
from agent.understanding.stems import stem
from agent.understanding.tokens import tokenize
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES, Locale
from tests.unit.agent.understanding.asking import payments

NO_NAMES: dict[Locale, frozenset[str]] = {locale: frozenset() for locale in LOCALES}


@pytest.mark.parametrize(
    ("locale", "forms"),
    [
        ("en", ["decline", "declines", "declined"]),
        ("en", ["pharmacy", "pharmacies"]),
        ("en", ["process", "processes", "processed"]),
        ("es", ["transaccion", "transacciones"]),
        ("es", ["rechazo", "rechazos", "rechazadas"]),
        ("es", ["canal", "canales"]),
        ("ru", ["канал", "каналам", "каналов"]),
        ("ru", ["точка", "точек", "точки", "точкам"]),
        ("ru", ["отклоненных", "отклоненные", "отклонено"]),
    ],
)
def test_forms_of_a_word_share_a_stem(locale: Locale, forms: list[str]) -> None:
    assert len({stem(form, locale) for form in forms}) == 1


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_has_the_same_rules(locale: Locale) -> None:
    own, english = vocabulary(locale), vocabulary("en")
    assert own.time_rules == english.time_rules
    assert set(own.units.values()) == set(english.units.values())
    assert set(own.months.values()) == set(range(1, 13))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("approval rate by channel last week", "en"),
        ("tasa de aprobación por canal", "es"),
        ("facturacion del mes pasado por marca", "es"),
        ("TPV por marca YTD", "es"),
        ("курс USD по месяцам", "ru"),
        ("quita a Промресурс", "es"),
    ],
)
def test_the_language_of_a_short_message_is_known(text: str, language: Locale) -> None:
    assert detect(tokenize(text), text, "en" if language != "en" else "es", NO_NAMES) == language


def test_a_message_of_names_alone_keeps_the_given_language() -> None:
    assert detect(tokenize("Visa 2026"), "Visa 2026", "es", NO_NAMES) == "es"


@pytest.mark.parametrize(
    ("typed", "read"),
    [("aproval", "approval"), ("tiket", "ticket"), ("channles", "channels"), ("mastercrad", "mastercard")],
)
def test_a_slip_is_read_as_the_word_meant(typed: str, read: str) -> None:
    speller = Speller((build_lexicon(payments()),))
    tokens, changes = speller.correct(tokenize(typed), "en")
    assert [token.word for token in tokens] == [read]
    assert [(change.typed, change.read) for change in changes] == [(typed, read)]


@pytest.mark.parametrize("word", ["dates", "zzzzz", "abril"])
def test_a_word_that_is_not_one_slip_away_stays(word: str) -> None:
    assert nearest_word(word, ("rates", "brands", "region")) is None


def test_two_words_equally_near_correct_nothing() -> None:
    assert nearest_word("brend", ("brand", "breed")) is None


def test_a_proper_name_is_not_bent_into_an_everyday_word() -> None:
    speller = Speller((build_lexicon(payments()),))
    _, changes = speller.correct(tokenize("sales of San Martín"), "en")
    assert changes == ()


def test_a_pattern_holds_with_and_without_its_optional_words() -> None:
    patterns = index_patterns([compile_pattern("last", "(the) last|past (<closed>) month", {"closed": ["full"]})])
    found = patterns.find_all(tokenize("the last month and past full month"), {})
    assert {(hit.start, hit.end) for hit in found} == {(0, 3), (1, 3), (4, 7)}
