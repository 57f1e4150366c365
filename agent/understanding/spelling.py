"""Typing errors: a word that nobody knows and that is one slip away from a known one is read as that one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agent.understanding.lexicon import Lexicon
from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES, Locale

_SHORTEST = 5
_LONG = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A word as typed and as read."""

    typed: str
    read: str


class Speller:
    """Corrects the words of a message to those of the catalog and of the language's grammar."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        self._lexicons = tuple(lexicons)
        self._members = _targets(frozenset().union(*(lexicon.member_words for lexicon in lexicons)))
        names = frozenset().union(*(lexicon.words for lexicon in lexicons))
        self._targets: dict[Locale, tuple[str, ...]] = {
            locale: _targets(names.union(vocabulary(locale).known, vocabulary("en").known)) for locale in LOCALES
        }

    def correct(self, tokens: Sequence[Token], locale: Locale) -> tuple[tuple[Token, ...], tuple[Correction, ...]]:
        """The tokens with unknown words read as their nearest known ones, and what was changed."""
        # A capital inside a sentence marks a proper name: it may only be meant for another one.
        proper = {token for token in tokens[1:] if token.text[:1].isupper() and not _ends_sentence(token)}
        changes = {t: near for t in tokens if (near := self._correction(t, locale, proper=t in proper))}
        corrected = tuple(replace(token, word=changes[token]) if token in changes else token for token in tokens)
        return corrected, tuple(Correction(typed=token.text, read=near) for token, near in changes.items())

    def _correction(self, token: Token, locale: Locale, *, proper: bool) -> str | None:
        if len(token.word) < _SHORTEST or any(c.isdigit() for c in token.word) or self._knows(token.word, locale):
            return None
        return nearest_word(token.word, self._members if proper else self._targets[locale])

    def _knows(self, word: str, locale: Locale) -> bool:
        grammar = any(vocabulary(each).knows(word) for each in LOCALES)
        return grammar or any(lexicon.knows(word, locale) for lexicon in self._lexicons)


def _ends_sentence(token: Token) -> bool:
    """Whether the word opens a new sentence: a full stop, a question mark or their like stands before it."""
    return bool(token.gap) and token.gap[-1] in ".?!¿¡:"


def nearest_word(word: str, names: Sequence[str]) -> str | None:
    """The one word within reach; None when there is none or more than one equally near.

    The first letter must agree; one slip is forgiven, two from ten letters on.
    """
    slips = 2 if len(word) >= _LONG else 1
    hits = process.extract(word, names, scorer=OSA.distance, score_cutoff=slips, limit=4)
    near = [(name, distance) for name, distance, _ in hits if name[0] == word[0]]
    if not near or (len(near) > 1 and near[0][1] == near[1][1]):
        return None
    return near[0][0]


def _targets(words: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(word for word in words if len(word) >= _SHORTEST and word.isalpha()))
