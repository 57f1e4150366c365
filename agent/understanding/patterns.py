"""A small pattern language over tokens: what the word lists of each locale are written in.

A pattern is words apart by blanks. `a|b` is either word, `последн*` any word that starts so, `(of|de)` may be missing,
`<unit>` is a named list of words, `{n}` a slot that a reader fills: `last|past {n} {unit}`. A slot may have a stricter
reader under a longer name: `{sure_month}` fills `month`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.understanding.tokens import Token, fold

Captures = Mapping[str, object]
SlotReader = Callable[[Sequence[Token], int], tuple[int, object] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One place of a pattern: literal words, prefixes, or a slot."""

    words: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    slot: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A named sequence of elements."""

    name: str
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a pattern holds: tokens `start` to `end` (not included) and what its slots read."""

    name: str
    start: int
    end: int
    captures: tuple[tuple[str, object], ...] = ()

    def get(self, slot: str) -> object | None:
        """What the slot read; None when the pattern has no such slot."""
        return next((value for name, value in self.captures if name == slot), None)


def compile_pattern(name: str, text: str, lists: Mapping[str, Sequence[str]]) -> Pattern:
    """The pattern of `text`. Raises `KeyError` for an unknown list and `ValueError` for an empty pattern or prefix."""
    parts = re.findall(r"\([^)]*\)|\S+", text)
    if not parts:
        raise ValueError(name)
    return Pattern(name=name, elements=tuple(_element(part, lists) for part in parts))


def _element(part: str, lists: Mapping[str, Sequence[str]]) -> Element:
    optional = part.startswith("(")
    body = part.strip("()")
    if body.startswith("{"):
        return Element(slot=body.strip("{}"), optional=optional)
    choices = [word for choice in body.split("|") for word in _choice(choice, lists)]
    if "*" in choices:
        raise ValueError(part)
    return Element(
        words=frozenset(word for word in choices if not word.endswith("*")),
        prefixes=tuple(word.rstrip("*") for word in choices if word.endswith("*")),
        optional=optional,
    )


def _choice(choice: str, lists: Mapping[str, Sequence[str]]) -> list[str]:
    if re.fullmatch(r"<\w+>", choice):
        return [fold(word) for word in lists[choice.strip("<>")]]
    return [fold(choice)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternSet:
    """Patterns by what they begin with, so that a token is compared with few of them."""

    by_word: Mapping[str, tuple[Pattern, ...]]
    by_prefix: Mapping[str, tuple[Pattern, ...]]
    by_slot: Mapping[str, tuple[Pattern, ...]]

    def find_all(self, tokens: Sequence[Token], slots: Mapping[str, SlotReader]) -> list[Found]:
        """Every match of every pattern, overlapping ones included."""
        return [
            Found(name=pattern.name, start=start, end=hit[0], captures=hit[1])
            for start in range(len(tokens))
            for pattern in self._candidates(tokens, start, slots)
            if (hit := _match(tokens, start, pattern.elements, slots)) is not None
        ]

    def _candidates(self, tokens: Sequence[Token], start: int, slots: Mapping[str, SlotReader]) -> Iterator[Pattern]:
        word = tokens[start].word
        yield from self.by_word.get(word, ())
        for prefix, patterns in self.by_prefix.items():
            if word.startswith(prefix):
                yield from patterns
        for slot, patterns in self.by_slot.items():
            if slots[slot](tokens, start) is not None:
                yield from patterns


def index_patterns(patterns: Iterable[Pattern]) -> PatternSet:
    """The patterns, indexed; one with an optional beginning stands under both of its beginnings."""
    words: dict[str, list[Pattern]] = {}
    prefixes: dict[str, list[Pattern]] = {}
    slots: dict[str, list[Pattern]] = {}
    for pattern in (begun for each in patterns for begun in _beginnings(each)):
        first = pattern.elements[0]
        slot = (first.slot,) if first.slot else ()
        for table, keys in ((words, first.words), (prefixes, first.prefixes), (slots, slot)):
            for key in keys:
                table.setdefault(key, []).append(pattern)
    return PatternSet(by_word=_frozen(words), by_prefix=_frozen(prefixes), by_slot=_frozen(slots))


def _beginnings(pattern: Pattern) -> Iterator[Pattern]:
    first, rest = pattern.elements[0], pattern.elements[1:]
    yield Pattern(name=pattern.name, elements=(replace(first, optional=False), *rest))
    if first.optional:
        yield from _beginnings(Pattern(name=pattern.name, elements=rest))


def _frozen(table: Mapping[str, list[Pattern]]) -> dict[str, tuple[Pattern, ...]]:
    return {key: tuple(patterns) for key, patterns in table.items()}


_Hit = tuple[int, tuple[tuple[str, object], ...]]


def _match(
    tokens: Sequence[Token], at: int, elements: tuple[Element, ...], slots: Mapping[str, SlotReader]
) -> _Hit | None:
    if not elements:
        return at, ()
    element, rest = elements[0], elements[1:]
    taken = _take(tokens, at, element, slots)
    if taken is not None:
        tail = _match(tokens, taken[0], rest, slots)
        if tail is not None:
            return tail[0], taken[1] + tail[1]
    return _match(tokens, at, rest, slots) if element.optional else None


def _take(tokens: Sequence[Token], at: int, element: Element, slots: Mapping[str, SlotReader]) -> _Hit | None:
    if at >= len(tokens):
        return None
    if element.slot:
        read = slots[element.slot](tokens, at)
        return None if read is None else (read[0], ((element.slot.split("_")[-1], read[1]),))
    word = tokens[at].word
    matches = word in element.words or (bool(element.prefixes) and word.startswith(element.prefixes))
    return (at + 1, ()) if matches else None
