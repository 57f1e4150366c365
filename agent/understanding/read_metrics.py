"""The metrics of a message."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Mention, Reading, all_small_words
from agent.understanding.names import choice_of, is_dimension, is_metric
from agent.understanding.parts import Choice
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsRead:
    """The metrics named, in order, or the choice that an ambiguous word leaves."""

    names: tuple[MetricName, ...] = ()
    choice: Choice | None = None


def metrics_in(reading: Reading, lexicon: Lexicon, domain: Domain) -> MetricsRead:
    """The metrics named; inside a dimension's name when nowhere else ('reasons of chargeback'); else the vague word."""
    metrics = [m for m in reading.mentions if is_metric(m)]
    named = [m for m in metrics if not _is_part_of_ratio(reading, m, domain) and not _is_noun_of(reading, m, domain)]
    if named:
        return _settled(reading, named)
    nested = tuple(dict.fromkeys(_nested(reading, lexicon)))
    if nested:
        return MetricsRead(names=nested)
    vague = _vague(reading, lexicon)
    if not vague:
        return MetricsRead(names=_implied(reading, lexicon))
    return MetricsRead(choice=choice_of(reading, vague[0], "vague"))


def _implied(reading: Reading, lexicon: Lexicon) -> tuple[MetricName, ...]:
    """The metric that a ranking word is a name of by itself: the dearest items are those with the highest price."""
    for mark in reading.with_rule("high", "low", "smallest_first", "largest_first"):
        metrics = {
            t.name
            for t in lexicon.terms_of(reading.tokens[mark.start : mark.end], reading.locale)
            if t.kind == "metric"
        }
        if len(metrics) == 1:
            return (MetricName(metrics.pop()),)
    return ()


def _vague(reading: Reading, lexicon: Lexicon) -> list[Mention]:
    """Words that name several metrics on purpose; of words that also rank ('best'), those come last."""
    ranking = [
        replace(m, terms=lexicon.terms_of(reading.tokens[m.start : m.end], reading.locale))
        for m in reading.with_rule("best", "worst", "high", "low", "top", "share", "rise", "fall")
    ]
    found = [m for m in (*reading.mentions, *ranking) if m.of_kind("vague")]
    return sorted(found, key=lambda m: all(t.word in all_small_words() for t in reading.tokens[m.start : m.end]))


def _settled(reading: Reading, named: Sequence[Mention]) -> MetricsRead:
    sure = [m.of_kind("metric")[0].name for m in named if len(m.of_kind("metric")) == 1]
    open_ones = [m for m in named if len(m.of_kind("metric")) > 1]
    choice = choice_of(reading, open_ones[0], "metric") if open_ones else None
    return MetricsRead(names=tuple(MetricName(name) for name in dict.fromkeys(sure)), choice=choice)


def _is_part_of_ratio(reading: Reading, mention: Mention, domain: Domain) -> bool:
    """'share of declined' + 'transactions': the second only completes the first."""
    ratio = next((m for m in reading.mentions if m.end == mention.start and is_metric(m)), None)
    if ratio is None or reading.tokens[mention.start].gap:
        return False
    metric = domain.metric(MetricName(ratio.of_kind("metric")[0].name))
    return mention.of_kind("metric")[0].name in (metric.numerator, metric.denominator)


def _is_noun_of(reading: Reading, mention: Mention, domain: Domain) -> bool:
    """'se rechazaron más transacciones': the noun of the metric just before it, whose label it is part of."""
    before = [m for m in reading.mentions if m.end <= mention.start and is_metric(m)]
    plain = domain.metric(MetricName(mention.of_kind("metric")[0].name)).view is None
    if not before or not plain or "," in reading.tokens[mention.start].gap:
        return False
    between = {token.word for token in reading.tokens[before[-1].end : mention.start]}
    own, other = (_label(m, reading, domain) for m in (mention, before[-1]))
    return own < other and not between & vocabulary(reading.locale).lists["and"]


def _label(mention: Mention, reading: Reading, domain: Domain) -> set[str]:
    name = MetricName(mention.of_kind("metric")[0].name)
    return set(domain.metric(name).names.in_locale(reading.locale).casefold().split())


def _nested(reading: Reading, lexicon: Lexicon) -> Iterator[MetricName]:
    for mention in (m for m in reading.mentions if is_dimension(m) and m.end - m.start > 1):
        for found in lexicon.find(reading.tokens[mention.start : mention.end], reading.locale):
            metrics = [term for term in found.terms if term.kind == "metric"]
            if len(metrics) == 1:
                yield MetricName(metrics[0].name)
