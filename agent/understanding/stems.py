"""Word forms brought together: 'transacciones' and 'transacción', 'канал' and 'каналам'."""

from functools import lru_cache

from agent.understanding.vocabulary import Vocabulary, vocabulary
from semantic_catalog.model import Locale

_SHORTEST_STEM = 3
_SHORTEST_FLEETING = 5


@lru_cache(maxsize=65_536)
def stem(word: str, locale: Locale) -> str:
    """The folded word without its ending in that language; at least three letters stay.

    A word with digits, and a word written in another script than the language's, stays whole.
    """
    if is_cyrillic(word) != (locale == "ru") or any(c.isdigit() for c in word):
        return word
    words = vocabulary(locale)
    for ending, without in words.fleeting.items():
        if word.endswith(ending) and len(word) >= _SHORTEST_FLEETING:
            return word.removesuffix(ending) + without
    suffix = next((each for each in words.suffixes if word.endswith(each) and _leaves_enough(word, each, words)), "")
    return word.removesuffix(suffix)


def _leaves_enough(word: str, suffix: str, words: Vocabulary) -> bool:
    shortest = _SHORTEST_STEM if len(suffix) <= 2 else words.shortest_before_long_suffix
    # 'process' and 'business' are no plurals.
    return len(word) - len(suffix) >= shortest and not (suffix == "s" and word.endswith("ss"))


def is_cyrillic(word: str) -> bool:
    """Whether the word has a Cyrillic letter."""
    return any("\u0400" <= c <= "\u04ff" for c in word)
