"""'The 2nd and 3rd quarter', 'the 3rd quarter against the 2nd': a unit said once for two numbers, put after both."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Locale


def with_said_units(tokens: Sequence[Token], locale: Locale) -> tuple[Token, ...]:
    """The tokens with such a unit said twice; what a person sees of the message is not changed by it."""
    result: list[Token] = []
    for at, token in enumerate(tokens):
        result.append(token)
        unit = _unit_after_next(tokens, at, locale) or _unit_before(tokens, at, locale)
        if unit is not None:
            result.append(replace(unit, gap=""))
    return tuple(result)


def _unit_after_next(tokens: Sequence[Token], at: int, locale: Locale) -> Token | None:
    """The unit of 'first <and> second <unit>', where the word at `at` is the first."""
    words = vocabulary(locale)
    if at + 3 >= len(tokens) or not _is_ordinal(tokens[at], locale) or not _is_ordinal(tokens[at + 2], locale):
        return None
    joins = tokens[at + 1].word in words.lists["and"] | words.lists["comparing"]
    unit = tokens[at + 3]
    return unit if joins and _is_numbered(unit, locale) else None


def _unit_before(tokens: Sequence[Token], at: int, locale: Locale) -> Token | None:
    """The unit of 'third <unit> … against the second', where the word at `at` is the second and ends the phrase."""
    words = vocabulary(locale)
    before = at - 1
    while before >= 0 and tokens[before].word in words.lists["articles"] | words.connectors:
        before -= 1
    compares = words.lists["comparing"] | words.lists["with"] | {"than"}
    if tokens[at].word not in words.ordinals or before < 1 or tokens[before].word not in compares:
        return None
    ends = at + 1 == len(tokens) or bool(tokens[at + 1].gap) or tokens[at + 1].word in words.lists["prepositions"]
    numbered = (now for was, now in pairwise(tokens[:before]) if _is_ordinal(was, locale))
    return next((unit for unit in numbered if _is_numbered(unit, locale)), None) if ends else None


def _is_numbered(unit: Token, locale: Locale) -> bool:
    """Whether the word is a unit that is numbered: a month or a year is not, '2 and 3 months' are lengths."""
    words = vocabulary(locale)
    return words.units.get(unit.word) == "quarter" or unit.word in words.lists["half_words"]


def _is_ordinal(token: Token, locale: Locale) -> bool:
    return token.word in vocabulary(locale).ordinals or token.text in {"1", "2", "3", "4"}
