"""A message as a change of the question before it."""

from dataclasses import dataclass

from agent.understanding.mentions import Reading, all_small_words
from agent.understanding.parts import Parts
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A message read as a change: its parts and the reading they come from."""

    parts: Parts
    reading: Reading
    domain: Domain


def opens_rather(reading: Reading) -> bool:
    """'Mejor el segundo trimestre', 'лучше по каналам': a wish, not the best of anything."""
    words = vocabulary(reading.locale)
    if len(reading.tokens) < 2 or reading.tokens[0].word not in words.lists["rather"]:
        return False
    timed = any(mention.start == 1 and mention.kind == "time" for mention in reading.mentions)
    return timed or reading.tokens[1].word in all_small_words()


def opens_swap(reading: Reading) -> bool:
    """Whether the message opens with 'replace' or 'change', so that what is named first is what goes."""
    return bool(reading.tokens) and reading.tokens[0].word in vocabulary(reading.locale).lists["swaps"]
