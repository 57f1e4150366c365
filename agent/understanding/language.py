"""Which of the three languages a short message is in."""

from collections.abc import Mapping, Sequence

from agent.understanding.stems import is_cyrillic
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Locale

_SPANISH_MARKS = frozenset("áéíóúüñ¿¡")
_LATIN: tuple[Locale, ...] = ("en", "es")
OwnWords = Mapping[Locale, frozenset[str]]


def detect(tokens: Sequence[Token], text: str, fallback: Locale, names: OwnWords) -> Locale:
    """The language of the message; `fallback` when the words do not tell. `names` are the catalog's words.

    A message with Cyrillic words is Russian, foreign names and abbreviations in it or not, unless the words around
    them are plainly of another language ('quita a Промресурс').
    """
    cyrillic = sum(is_cyrillic(token.word) for token in tokens)
    latin = sum(_is_latin_word(token.word, fallback) for token in tokens)
    if cyrillic > latin:
        return "ru"
    english = _score(tokens, "en", "es", names)
    spanish = _score(tokens, "es", "en", names) + 2 * bool(_SPANISH_MARKS & set(text.casefold()))
    if english != spanish:
        return "en" if english > spanish else "es"
    return fallback if fallback != "ru" or not tokens else "en"


def _is_latin_word(word: str, fallback: Locale) -> bool:
    """A word of English or Spanish; in a thread in one of them also one of its grammar ('quita ЭкоЛом')."""
    if any(word in vocabulary(each).stop for each in _LATIN):
        return True
    return fallback != "ru" and word in vocabulary(fallback).known and word not in vocabulary("ru").known


def _score(tokens: Sequence[Token], own: Locale, other: Locale, names: OwnWords) -> int:
    """Words that only this language has; those of both say nothing."""
    mine, theirs = vocabulary(own).known | names[own], vocabulary(other).known | names[other]
    return sum(token.word in mine and token.word not in theirs for token in tokens if token.number is None)
