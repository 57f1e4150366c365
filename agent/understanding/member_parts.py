"""Words that are part of members' names: 'M3' of 'Copper scrap M3, lump' and of 'Copper scrap M3, turnings'."""

from dataclasses import replace

from agent.understanding.leftover import unused_positions
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Mention, Reading
from agent.understanding.stems import stem

_MOST = 6


def with_member_parts(reading: Reading, lexicon: Lexicon) -> Reading:
    """The reading with every unused word that few members of one dimension have in their labels as those members."""
    for at in unused_positions(reading):
        word = stem(reading.tokens[at].word, reading.locale)
        terms = lexicon.parts[reading.locale].get(word, ())
        one_dimension = len({term.name for term in terms}) == 1
        if one_dimension and len(terms) <= _MOST and len(word) > 1 and not word.isdigit():
            mention = Mention(kind="name", start=at, end=at + 1, terms=terms)
            reading = replace(reading, mentions=tuple(sorted((*reading.mentions, mention), key=lambda m: m.start)))
    return reading
