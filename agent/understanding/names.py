"""What a mention names: a metric, a dimension or a member, and what stands right beside it."""

from agent.understanding.mentions import Mention, Reading
from agent.understanding.parts import Choice
from agent.understanding.vocabulary import vocabulary

THRESHOLDS = ("more_than", "at_least", "less_than", "at_most", "between_amounts")
AVERAGES = ("above_average", "below_average")


def is_metric(mention: Mention) -> bool:
    """Whether the mention names a metric."""
    return bool(mention.of_kind("metric"))


def is_dimension(mention: Mention) -> bool:
    """Whether the mention names a dimension and no metric."""
    return bool(mention.of_kind("dimension")) and not is_metric(mention)


def is_member(mention: Mention) -> bool:
    """Whether the mention names a member and nothing else."""
    return bool(mention.of_kind("member")) and not mention.of_kind("metric") and not mention.of_kind("dimension")


def choice_of(reading: Reading, mention: Mention, kind: str) -> Choice:
    """The things of one kind that the mention may be."""
    names = tuple(dict.fromkeys(term.name for term in mention.of_kind(kind)))
    return Choice(words=reading.text_of(mention.start, mention.end), names=names)


def is_left_out(reading: Reading, mention: Mention) -> bool:
    """Whether 'without' stands before the member, or before a list of members that it belongs to."""
    earlier = reading.before(mention)
    while earlier is not None and not earlier.found and _is_listed(reading, earlier, mention):
        mention, earlier = earlier, reading.before(earlier)
    return earlier is not None and earlier.rule in ("exclude", "remove")


def _is_listed(reading: Reading, first: Mention, second: Mention) -> bool:
    """Whether both are members with nothing but 'and' or a comma between them."""
    conjunctions = vocabulary(reading.locale).lists["conjunctions"]
    if not is_member(first) or reading.tokens[second.start].gap not in ("", ",", '"', "'", "«", "»"):
        return False
    return all(token.word in conjunctions for token in reading.tokens[first.end : second.start])


def number_before(reading: Reading, mention: Mention) -> int | None:
    """A small whole number right before the mention: 'los 5 restaurantes'."""
    if mention.start == 0 or any(m.end == mention.start for m in reading.mentions):
        return None
    token = reading.tokens[mention.start - 1]
    number = token.number if token.number is not None else vocabulary(reading.locale).numbers.get(token.word)
    return int(number) if number is not None and number == int(number) and 1 < number < 1_000 else None
