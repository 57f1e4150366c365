"""Names that only the warehouse knows, such as merchants: found whole, in part, or nearly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import fuzz, process

from agent.understanding.lexicon import Term
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.tokens import Token, fold, tokenize
from semantic_catalog.model import DimensionName

_MOST_OFFERED = 3
_NEAR = 70
_MOST_SHARED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class NameIndex:
    """The members of one dimension by the words of their names and by whole names; the words by their first letter."""

    words_of: Mapping[str, tuple[str, ...]]
    by_word: Mapping[str, frozenset[str]]
    by_initial: Mapping[str, tuple[str, ...]]
    whole: Mapping[tuple[str, ...], str]
    longest: int


@lru_cache(maxsize=16)
def index_names(values: tuple[str, ...]) -> NameIndex:
    """The index of these members, built once."""
    words_of = {value: tuple(token.word for token in tokenize(value)) for value in values}
    by_word: dict[str, set[str]] = {}
    for value, words in words_of.items():
        for word in words:
            by_word.setdefault(word, set()).add(value)
    by_initial: dict[str, list[str]] = {}
    for word in by_word:
        by_initial.setdefault(word[0], []).append(word)
    return NameIndex(
        words_of=words_of,
        by_word={word: frozenset(found) for word, found in by_word.items()},
        by_initial={letter: tuple(words) for letter, words in by_initial.items()},
        whole={words: value for value, words in reversed(words_of.items())},
        longest=max(map(len, words_of.values()), default=0),
    )


def with_names(reading: Reading, dimension: DimensionName, index: NameIndex, positions: Iterable[int]) -> Reading:
    """The reading with the members that the words at `positions` belong to.

    A whole name wins; part of a name stands for every member that has all those words.
    """
    for at in positions:
        if any(mention.start <= at < mention.end for mention in reading.mentions):
            continue
        found = _whole(reading.tokens, at, index) or _part(reading.tokens, at, index)
        if found:
            reading = _replaced(reading, found, dimension)
    return reading


_Stretch = tuple[int, int, tuple[str, ...]]


def _whole(tokens: Sequence[Token], at: int, index: NameIndex) -> _Stretch | None:
    """The longest whole name that stands in the message over position `at`."""
    spans = [
        (start, start + length, (value,))
        for length in range(1, index.longest + 1)
        for start in range(max(0, at - length + 1), at + 1)
        if (value := index.whole.get(tuple(token.word for token in tokens[start : start + length]))) is not None
    ]
    return max(spans, key=lambda span: span[1] - span[0], default=None)


def _part(tokens: Sequence[Token], at: int, index: NameIndex) -> _Stretch | None:
    """The words around `at` that some name has together, with every such name; none for words that very many share."""
    candidates = index.by_word.get(tokens[at].word)
    if not candidates:
        return None
    start, end = at, at + 1
    while start > 0 and (narrower := candidates & index.by_word.get(tokens[start - 1].word, frozenset())):
        start, candidates = start - 1, narrower
    while end < len(tokens) and (narrower := candidates & index.by_word.get(tokens[end].word, frozenset())):
        end, candidates = end + 1, narrower
    return (start, end, tuple(sorted(candidates))) if len(candidates) <= _MOST_SHARED else None


def _replaced(reading: Reading, found: _Stretch, dimension: DimensionName) -> Reading:
    start, end, values = found
    terms = tuple(Term(kind="member", name=dimension, value=value) for value in values)
    name = Mention(kind="name", start=start, end=end, terms=terms)
    kept = [m for m in reading.mentions if m.end <= start or m.start >= end]
    return replace(reading, mentions=tuple(sorted((*kept, name), key=lambda m: m.start)))


def near_names(words: str, index: NameIndex) -> tuple[str, ...]:
    """Members whose names look like the words, the nearest first; of a word that too many names share, none."""
    content = [word for word in fold(words).split() if word not in all_small_words()]
    found = (
        process.extract(word, index.by_initial.get(word[0], ()), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=2)
        for word in content
    )
    near = [word for hits in found for word, _, _ in hits if len(index.by_word[word]) <= _MOST_SHARED]
    names = sorted({value for word in near for value in index.by_word[word]})
    best = process.extract(" ".join(content), names, scorer=fuzz.token_set_ratio, processor=fold, limit=_MOST_OFFERED)
    return tuple(value for value, _, _ in best)
