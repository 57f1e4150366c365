"""The words of a language as data: what the catalog does not say but every question uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from agent.understanding.patterns import Pattern, PatternSet, compile_pattern, index_patterns
from agent.understanding.tokens import fold
from semantic_catalog.model import LOCALES, Locale, TimeGrain


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """One language. `stop` words mean nothing by themselves, `connectors` may stand inside a name ('tasa de rechazo').

    `numbers`, `ordinals` and `scales` ('thousand') map words to values; `units`, `months`, `quarters`, `halves` and
    `weekdays` map words to what they name. `patterns` are the time grammar and the operators, `ranges` join two
    periods, `requests` say what a whole message is about. `suffixes` are endings, longest first, `fleeting` endings
    that lose a vowel ('точек', 'точка'). `known` and `prefixes` are every word of it all. All words are folded.
    """

    locale: Locale
    stop: frozenset[str]
    connectors: frozenset[str]
    suffixes: tuple[str, ...]
    shortest_before_long_suffix: int
    fleeting: Mapping[str, str]
    numbers: Mapping[str, int]
    ordinals: Mapping[str, int]
    scales: Mapping[str, int]
    units: Mapping[str, TimeGrain]
    months: Mapping[str, int]
    quarters: Mapping[str, int]
    halves: Mapping[str, int]
    weekdays: Mapping[str, int]
    lists: Mapping[str, frozenset[str]]
    patterns: PatternSet
    ranges: PatternSet
    requests: PatternSet
    time_rules: frozenset[str]
    known: frozenset[str]
    prefixes: tuple[str, ...]

    def knows(self, word: str) -> bool:
        """Whether the word has a place in the language's grammar here."""
        return word in self.known or word.startswith(self.prefixes)


@cache
def vocabulary(locale: Locale) -> Vocabulary:
    """The words of `locale`, read once."""
    time, words = _read("time", locale), _read("words", locale)
    lists = {name: tuple(values) for name, values in (time["lists"] | words["lists"]).items()}
    time_patterns, word_patterns = _patterns(time["patterns"], lists), _patterns(words["patterns"], lists)
    tables = {name: _table(time[name]) for name in ("units", "months", "quarters", "halves", "weekdays")}
    numbers, ordinals = _table(words["numbers"]), _table(words["ordinals"])
    stop = frozenset(map(fold, words["stop"]))
    ranges, requests = _patterns(time["ranges"], lists), _patterns(words["requests"], lists)
    every = time_patterns + word_patterns + ranges + requests
    return Vocabulary(
        locale=locale,
        stop=stop,
        connectors=frozenset(map(fold, words["connectors"])),
        shortest_before_long_suffix=words["shortest_before_long_suffix"],
        fleeting=words["fleeting"],
        suffixes=tuple(sorted(words["suffixes"], key=len, reverse=True)),
        numbers=numbers,
        ordinals=ordinals,
        scales=_table(words["scales"]),
        lists={name: frozenset(map(fold, values)) for name, values in lists.items()},
        patterns=index_patterns(time_patterns + word_patterns),
        ranges=index_patterns(ranges),
        requests=index_patterns(requests),
        time_rules=frozenset(time["patterns"]),
        known=stop.union(_literals(every), numbers, ordinals, *tables.values()),
        prefixes=_prefixes(every),
        **tables,
    )


def all_stop_words() -> frozenset[str]:
    """Words that mean nothing by themselves in any of the languages."""
    return frozenset().union(*(vocabulary(locale).stop for locale in LOCALES))


def _read(folder: str, locale: Locale) -> dict[str, Any]:
    path = files("semantic_catalog").joinpath("global", folder, f"{locale}.yaml")
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def _patterns(written: Mapping[str, list[str]], lists: Mapping[str, tuple[str, ...]]) -> tuple[Pattern, ...]:
    return tuple(compile_pattern(name, text, lists) for name, texts in written.items() for text in texts)


def _table(written: Mapping[Any, list[str]]) -> dict[str, Any]:
    return {fold(str(word)): value for value, words in written.items() for word in words}


def _literals(patterns: tuple[Pattern, ...]) -> frozenset[str]:
    return frozenset(word for pattern in patterns for element in pattern.elements for word in element.words)


def _prefixes(patterns: tuple[Pattern, ...]) -> tuple[str, ...]:
    found = {prefix for pattern in patterns for element in pattern.elements for prefix in element.prefixes}
    return tuple(sorted(found))
