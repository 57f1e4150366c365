"""Word forms brought together: 'transacciones' and 'transacción', 'канал' and 'каналам'."""

from functools import lru_cache

from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Locale

_SHORTEST_STEM = 3
_SHORTEST_STEM_OF_LONG_SUFFIX = 4


@lru_cache(maxsize=65_536)
def stem(word: str, locale: Locale) -> str:
    """The folded word without its ending in that language; at least three letters stay.

    A word with digits, and a word written in another script than the language's, stays whole.
    """
    if is_cyrillic(word) != (locale == "ru") or any(c.isdigit() for c in word):
        return word
    for suffix in vocabulary(locale).suffixes:
        if word.endswith(suffix) and _leaves_enough(word, suffix):
            return word[: -len(suffix)]
    return word


def _leaves_enough(word: str, suffix: str) -> bool:
    shortest = _SHORTEST_STEM if len(suffix) <= 2 else _SHORTEST_STEM_OF_LONG_SUFFIX
    # 'process' and 'business' are no plurals.
    return len(word) - len(suffix) >= shortest and not (suffix == "s" and word.endswith("ss"))


def is_cyrillic(word: str) -> bool:
    """Whether the word has a Cyrillic letter."""
    return any("\u0400" <= c <= "\u04ff" for c in word)
