"""'Who was the cheapest?': a lowest or highest figure that somebody is looked for by."""

from dataclasses import dataclass, replace

from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_dimension, is_metric
from agent.understanding.parts import Direction, Rank
from agent.understanding.read_shape import is_plural, rank_in
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain, Measure, Metric, MetricName

_COUNTING = ("top_n", "bottom_n", "which_n")
_DIRECTIONS: dict[str, Direction] = {"min": "low", "max": "high"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Superlative:
    """The figures compared and how they are ranked."""

    metrics: tuple[MetricName, ...]
    rank: Rank


def superlative_in(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> Superlative | None:
    """The ranking meant by 'who had the lowest price' or 'when was it dearest'; None where nobody is looked for.

    Members and times are compared by their usual figure, the average of what the lowest or highest is of.
    """
    measure = _measure(metrics[0], domain) if len(metrics) == 1 else None
    direction = _DIRECTIONS.get(measure.aggregation) if measure else None
    if measure is None or direction is None or not _looks_for_one(reading):
        return None
    usual = _usual(measure, domain) or metrics[0]
    said = rank_in(reading)
    limit = said.limit if said and said.limit else None if said and said.several else 1
    rank = Rank(direction=direction, limit=limit, several=limit is None)
    return Superlative(metrics=(usual,), rank=replace(rank, metric=usual))


def is_extreme(metric: Metric, domain: Domain) -> bool:
    """Whether the metric is the lowest or the highest of something."""
    measure = _measure(metric.name, domain)
    return measure is not None and measure.aggregation in _DIRECTIONS


def _looks_for_one(reading: Reading) -> bool:
    asked = vocabulary(reading.locale).lists
    words = asked["which_one"] | asked["which_many"] | asked["who"]
    if reading.has(*_COUNTING) and any(is_dimension(m) for m in reading.mentions):
        return True
    return reading.has("when", "asked_unit") or any(_is_asked(m, reading, words) for m in reading.mentions)


def _is_asked(mention: Mention, reading: Reading, words: frozenset[str]) -> bool:
    if not is_dimension(mention):
        return False
    before = reading.tokens[mention.start - 1].word if mention.start else ""
    if any(_stand_together(m, mention, reading) for m in reading.mentions) and not is_plural(reading, mention):
        return True
    return before in words or reading.tokens[mention.end - 1].word in asked_who(reading)


def _stand_together(metric: Mention, noun: Mention, reading: Reading) -> bool:
    """'the cheapest supplier', 'el proveedor más barato'."""
    before = metric.end == noun.start
    after = reading.locale != "en" and noun.end == metric.start and not reading.tokens[metric.start].gap
    return is_metric(metric) and (before or after)


def asked_who(reading: Reading) -> frozenset[str]:
    """The words for 'who' and 'where' in the message's language."""
    lists = vocabulary(reading.locale).lists
    return lists["who"] | lists["place"]


def _measure(name: MetricName, domain: Domain) -> Measure | None:
    wanted = domain.metric(name).measure
    measures = (entity.measure(wanted) for entity in domain.entities if wanted)
    return next((measure for measure in measures if measure), None)


def _usual(measure: Measure, domain: Domain) -> MetricName | None:
    """The average of the same expression over the same rows."""
    for metric in domain.metrics:
        own = _measure(metric.name, domain)
        same = own is not None and (own.expression, own.filter) == (measure.expression, measure.filter)
        if same and own is not None and own.aggregation == "avg":
            return metric.name
    return None
