"""'The highest brass price': a ranking word that belongs to a metric's name, with a member between the two."""

from dataclasses import replace

from agent.understanding.lexicon import Lexicon, Term
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_member, is_metric
from agent.understanding.superlatives import is_extreme
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain, MetricName

_QUALIFIERS = ("high", "low")


def qualified(reading: Reading, lexicon: Lexicon) -> Reading:
    """The reading with such words as metrics: the one that each makes together with the metric's own words."""
    for metric in [mention for mention in reading.mentions if is_metric(mention)]:
        found = tuple(
            (mark, terms) for mark in _marks(reading, metric) if (terms := _named(reading, mark, metric, lexicon))
        )
        if found:
            reading = _renamed(reading, metric, found)
    return reading


def _marks(reading: Reading, metric: Mention) -> tuple[Mention, ...]:
    """The ranking words on either side, with only members and small words between."""
    marks: list[Mention] = []
    for step in (reading.before, reading.after):
        other = step(metric)
        while other is not None and (is_member(other) or other.rule in _QUALIFIERS):
            if other.rule in _QUALIFIERS:
                marks.append(other)
            other = step(other)
    return tuple(marks)


def _named(reading: Reading, mark: Mention, metric: Mention, lexicon: Lexicon) -> tuple[Term, ...]:
    own, said = reading.tokens[metric.start : metric.end], reading.tokens[mark.start : mark.end]
    for noun in (own, own[-1:], own[:1]):
        terms = tuple(t for t in lexicon.terms_of(said + noun, reading.locale) if t.kind == "metric")
        if terms and terms != metric.of_kind("metric"):
            return terms
    return ()


def _renamed(reading: Reading, metric: Mention, found: tuple[tuple[Mention, tuple[Term, ...]], ...]) -> Reading:
    """The first word's metric stands where the metric stood, those of further words where they stand."""
    (first, terms), *others = found
    new = {id(metric): replace(metric, terms=terms), id(first): replace(first, kind="qualifier", found=None)}
    new |= {id(mark): Mention(kind="name", start=mark.start, end=mark.end, terms=own) for mark, own in others}
    return replace(reading, mentions=tuple(new.get(id(each), each) for each in reading.mentions))


def without_stray_place(reading: Reading, domain: Domain) -> Reading:
    """The reading with 'where' as a place only where it asks for one: at the head, and of something ranked.

    In 'merchants where the rate is low' and in 'where do we stand' it names nothing.
    """
    places = vocabulary(reading.locale).lists["place"]
    kept = tuple(
        m for m in reading.mentions if not _is_place(reading, m, places) or _asks_for_place(reading, m, domain)
    )
    return replace(reading, mentions=kept)


def _is_place(reading: Reading, mention: Mention, places: frozenset[str]) -> bool:
    return mention.end - mention.start == 1 and bool(mention.terms) and reading.tokens[mention.start].word in places


def _asks_for_place(reading: Reading, mention: Mention, domain: Domain) -> bool:
    leading = all(m.kind == "time" for m in reading.mentions if m.end <= mention.start)
    ranked = reading.has("high", "low", "best", "worst", "rise", "fall")
    named = [domain.metric(MetricName(term.name)) for m in reading.mentions for term in m.of_kind("metric")]
    return leading and (ranked or any(is_extreme(metric, domain) for metric in named))
