"""'The 2nd and 3rd quarter': a unit that is said once for two numbers, put after both."""

from collections.abc import Sequence
from dataclasses import replace

from agent.understanding.tokens import Token
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Locale


def with_said_units(tokens: Sequence[Token], locale: Locale) -> tuple[Token, ...]:
    """The tokens with such a unit said twice; what a person sees of the message is not changed by it."""
    result: list[Token] = []
    for at, token in enumerate(tokens):
        result.append(token)
        unit = _unit_after_next(tokens, at, locale)
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
    # A month or a year is not numbered so: '2 and 3 months' are lengths.
    return (
        unit if joins and (words.units.get(unit.word) == "quarter" or unit.word in words.lists["half_words"]) else None
    )


def _is_ordinal(token: Token, locale: Locale) -> bool:
    return token.word in vocabulary(locale).ordinals or token.text in {"1", "2", "3", "4"}
