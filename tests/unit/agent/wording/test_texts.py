import re
from string import Formatter

import pytest
from babel import Locale as BabelLocale

from agent.wording.texts import Text, has, say, texts
from semantic_catalog.model import LOCALES, Locale

PLURALS = {locale: {*BabelLocale.parse(locale).plural_form.tags, "other"} for locale in LOCALES}
# `count` chooses the form; a language whose form does not show the number need not name it.
IMPLIED = {"count"}
LATIN: tuple[Locale, ...] = ("en", "es")
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def params(text: Text) -> set[str]:
    found = {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name is not None}
    return found - IMPLIED


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_has_every_text(locale: Locale) -> None:
    assert set(texts(locale)) == set(texts("en"))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_text_takes_the_same_params_in_every_language(locale: Locale) -> None:
    differing = {key for key, text in texts(locale).items() if params(text) != params(texts("en")[key])}
    assert differing == set()


@pytest.mark.parametrize("locale", LOCALES)
def test_every_form_of_a_text_takes_the_same_params(locale: Locale) -> None:
    differing = {
        key for key, text in texts(locale).items() if len({frozenset(params(form)) for form in forms(text)}) > 1
    }
    assert differing == set()


@pytest.mark.parametrize("locale", LOCALES)
def test_plural_forms_are_those_of_the_language(locale: Locale) -> None:
    wrong = {
        key: set(text)
        for key, text in texts(locale).items()
        if not isinstance(text, str) and set(text) - PLURALS[locale]
    }
    missing = {key for key, text in texts(locale).items() if not isinstance(text, str) and "other" not in text}
    assert (wrong, missing) == ({}, set())


@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_is_shouted(locale: Locale) -> None:
    assert {key for key, text in texts(locale).items() if any(re.search("[!¡]", form) for form in forms(text))} == set()


def test_no_cyrillic_outside_russian() -> None:
    stray = {
        (locale, key)
        for locale in LATIN
        for key, text in texts(locale).items()
        if CYRILLIC.search("".join(forms(text)))
    }
    assert stray == set()


@pytest.mark.parametrize(
    ("locale", "count", "expected"),
    [
        ("en", 1, "1 row is left out to fit this message."),
        ("en", 2, "2 rows are left out to fit this message."),
        ("es", 1, "Se omite 1 fila para que quepa en este mensaje."),
        ("ru", 1, "1 строка не поместилась в сообщение."),
        ("ru", 3, "3 строки не поместились в сообщение."),
        ("ru", 11, "11 строк не поместились в сообщение."),
    ],
)
def test_the_count_chooses_the_plural_form(locale: Locale, count: int, expected: str) -> None:
    assert say(locale, "card.rows_left_out", count=count) == expected
    assert say(locale, "card.rows_left_out", count=str(count)) == expected


def test_an_unknown_text_or_a_missing_param_is_an_error() -> None:
    assert not has("card.nonsense")
    with pytest.raises(KeyError):
        say("en", "card.nonsense")
    with pytest.raises(KeyError):
        say("en", "card.run")
