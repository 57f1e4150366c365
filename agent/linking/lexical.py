"""Finds documents by their words: inflection of three languages and typing errors forgiven, rare words first."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

from rapidfuzz import fuzz, process

from agent.linking.documents import Document
from agent.understanding.stems import is_cyrillic, stem
from agent.understanding.tokens import fold

_WORD = re.compile(r"[^\W_]+")
_NEAR = 80
_NEAR_COUNTS = 0.7
_MOST_NEAR = 3
_SHORTEST_TYPO = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalIndex:
    """Which documents have which word, and how telling each word is. `lengths` are square roots of word counts."""

    postings: Mapping[str, tuple[int, ...]]
    weights: Mapping[str, float]
    lengths: tuple[float, ...]
    by_length: Mapping[int, tuple[str, ...]]


def index_words(documents: Sequence[Document]) -> LexicalIndex:
    """The index of these documents, by their position."""
    postings: dict[str, list[int]] = defaultdict(list)
    lengths = []
    for position, document in enumerate(documents):
        words = set(words_of(document.text))
        lengths.append(sqrt(len(words) or 1))
        for word in words:
            postings[word].append(position)
    by_length: dict[int, list[str]] = defaultdict(list)
    for word in postings:
        by_length[len(word)].append(word)
    return LexicalIndex(
        postings={word: tuple(found) for word, found in postings.items()},
        weights={word: log(1 + len(documents) / len(found)) for word, found in postings.items()},
        lengths=tuple(lengths),
        by_length={length: tuple(words) for length, words in by_length.items()},
    )


def words_of(text: str) -> tuple[str, ...]:
    """The stems of a text: `avg_ticket` has two, and a word's script tells which language's endings it may have."""
    return tuple(part for word in _WORD.findall(fold(text)) for part in _stems(word))


@lru_cache(maxsize=65_536)
def _stems(word: str) -> tuple[str, ...]:
    if is_cyrillic(word):
        return (stem(word, "ru"),)
    return tuple(dict.fromkeys((stem(word, "en"), stem(word, "es"))))


def ranked(index: LexicalIndex, words: Iterable[str], most: int) -> tuple[int, ...]:
    """Positions of the documents that have some of the words, best first; ties in document order."""
    scores: dict[int, float] = defaultdict(float)
    for word in dict.fromkeys(words):
        for known, counts in _known(index, word):
            for position in index.postings[known]:
                scores[position] += counts * index.weights[known] / index.lengths[position]
    return tuple(sorted(scores, key=lambda position: (-scores[position], position))[:most])


def _known(index: LexicalIndex, word: str) -> tuple[tuple[str, float], ...]:
    """The word itself; of a word that no document has, those that look like it."""
    if word in index.postings:
        return ((word, 1.0),)
    if len(word) < _SHORTEST_TYPO:
        return ()
    near = [other for length in range(len(word) - 2, len(word) + 3) for other in index.by_length.get(length, ())]
    found = process.extract(word, near, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=_MOST_NEAR)
    return tuple((other, _NEAR_COUNTS * score / 100) for other, score, _ in found)
