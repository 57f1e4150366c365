"""Which of the three languages a short message is in."""

from collections.abc import Mapping, Sequence

from agent.understanding.stems import is_cyrillic
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Locale

_SPANISH_MARKS = frozenset("áéíóúüñ¿¡")
OwnWords = Mapping[Locale, frozenset[str]]


def detect(tokens: Sequence[Token], text: str, fallback: Locale, names: OwnWords) -> Locale:
    """The language of the message; `fallback` when the words do not tell. `names` are the catalog's words.

    A message with a third of its words in Cyrillic is Russian: foreign names and abbreviations are common there.
    """
    cyrillic = sum(is_cyrillic(token.word) for token in tokens)
    if cyrillic and cyrillic * 3 >= len(tokens):
        return "ru"
    english = _score(tokens, "en", "es", names)
    spanish = _score(tokens, "es", "en", names) + 2 * bool(_SPANISH_MARKS & set(text.casefold()))
    if english != spanish:
        return "en" if english > spanish else "es"
    return fallback if fallback != "ru" or not tokens else "en"


def _score(tokens: Sequence[Token], own: Locale, other: Locale, names: OwnWords) -> int:
    """Words that only this language has; those of both say nothing."""
    mine, theirs = vocabulary(own).known | names[own], vocabulary(other).known | names[other]
    return sum(token.word in mine and token.word not in theirs for token in tokens if token.number is None)
