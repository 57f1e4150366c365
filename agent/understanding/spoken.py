"""Whether words speak of a time, an order or a condition, in any of the languages."""

from collections.abc import Iterator

from agent.understanding.slots import slot_readers
from agent.understanding.tokens import tokenize
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import LOCALES

ORDERS = frozenset(
    {
        "order_by",
        "top",
        "top_n",
        "bottom",
        "bottom_n",
        "high",
        "low",
        "best",
        "worst",
        "smallest_first",
        "largest_first",
        "worst_first",
        "best_first",
    }
)
CONDITIONS = frozenset(
    {
        "compare",
        "compare_previous",
        "compare_year",
        "compare_week",
        "growth",
        "growth_unit",
        "growth_month",
        "rise",
        "fall",
        "share",
        "running_total",
        "moving_average",
        "more_than",
        "at_least",
        "less_than",
        "at_most",
        "between_amounts",
        "over_budget",
        "under_budget",
        "versus_average",
        "how_many",
        "filter_word",
    }
)


def speaks_of(text: str, rules: frozenset[str]) -> bool:
    """Whether one of these operators is in the words."""
    return bool(rules & {name for name, _ in _hits(text)})


def speaks_of_time(text: str) -> bool:
    """Whether a period, a date, a year or a comparison of times is in the words."""
    return any(timed for _, timed in _hits(text))


def _hits(text: str) -> Iterator[tuple[str, bool]]:
    tokens = tokenize(text)
    for words in map(vocabulary, LOCALES):
        for hit in words.patterns.find_all(tokens, slot_readers(words)):
            yield hit.name, hit.name in words.time_rules or hit.name.startswith("compare_")
