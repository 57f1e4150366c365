"""Answers to clarifications, put into the question that they were asked about."""

from dataclasses import dataclass, replace
from datetime import date

from agent.understanding.book import Book
from agent.understanding.edit import Edit
from agent.understanding.edits import edited
from agent.understanding.language import detect
from agent.understanding.lexicon import Lexicon
from agent.understanding.mentions import Reading, read_mentions
from agent.understanding.options import OTHER_PERIOD, WITHOUT
from agent.understanding.parts import Choice, Parts
from agent.understanding.read_parts import read_parts
from agent.understanding.tokens import tokenize
from agent.values.spec import MemberFilter
from semantic_catalog.model import DimensionName, Domain, Locale, MetricName, Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """What an answer is read with; `locale` is the question's language, in which an answer of names alone is read."""

    domain: Domain
    book: Book
    locale: Locale
    today: date

    @property
    def lexicon(self) -> Lexicon:
        """The names of the domain."""
        return self.book.lexicons[self.domain.name]


def pinned(parts: Parts, pins: tuple[tuple[str, str], ...], answering: Answering) -> Parts:
    """The parts with every answer in them, in order: an option's value, or free text that is read like a message."""
    for slot, value in pins:
        parts = _by_option(parts, slot, value, answering.domain) or _by_text(parts, slot, value, answering)
    return parts


def _by_option(parts: Parts, slot: str, value: str, domain: Domain) -> Parts | None:
    """The parts settled by an option; None when the value is free text."""
    if value == OTHER_PERIOD:
        return parts
    if value == WITHOUT:
        return replace(parts, blocking=(), member_choice=None)
    if slot == "metric" and any(metric.name == value for metric in domain.metrics):
        return replace(parts, metrics=(MetricName(value),), metric_choice=None, average="")
    if slot == "dimension" and any(dimension.name == value for dimension in domain.dimensions):
        return _with_dimension(parts, DimensionName(value))
    name, _, member = value.partition("=")
    if member and any(dimension.name == name for dimension in domain.dimensions):
        wanted = MemberFilter(dimension=DimensionName(name), values=(member,))
        return replace(parts, filters=(*parts.filters, wanted), member_choice=None, blocking=())
    return None


def _with_dimension(parts: Parts, name: DimensionName) -> Parts:
    """A chosen dimension joins what is split by; it takes the place of one that the sources could not give."""
    ambiguous = parts.dimension_choice is not None or not parts.dimensions
    dimensions = (*parts.dimensions, name) if ambiguous else (name,)
    return replace(parts, dimensions=tuple(dict.fromkeys(dimensions)), dimension_choice=None)


def _by_text(parts: Parts, slot: str, value: str, answering: Answering) -> Parts:
    chosen = _chosen(parts, value, answering) if slot == "metric" else None
    if chosen is not None:
        return replace(parts, metrics=(chosen,), metric_choice=None, average="")
    reading = _read(value, answering)
    more = read_parts(reading, answering.lexicon, answering.domain, answering.today, parts.metrics)
    answered = edited(parts, Edit(parts=more, reading=reading, domain=answering.domain))
    if slot == "metric" and more.metrics:
        answered = replace(answered, metrics=more.metrics, metric_choice=None, average="")
    if slot == "member" and more.filters:
        return replace(answered, member_choice=more.member_choice, blocking=more.blocking)
    blocking = parts.blocking if slot != "metric" else ()
    return replace(answered, metric_choice=_unless_named(answered, parts), blocking=(*blocking, *more.blocking))


def _chosen(parts: Parts, value: str, answering: Answering) -> MetricName | None:
    """The one choice whose name holds all the words of the answer: 'EBITDA' of 'Gross margin %' and 'EBITDA margin'."""
    said = {token.word for token in tokenize(value)}
    if parts.metric_choice is None:
        return None
    names = [MetricName(name) for name in parts.metric_choice.names]
    fitting = [name for name in names if said <= _words_of(answering.domain.metric(name).names)]
    return fitting[0] if len(fitting) == 1 else None


def _words_of(names: Names) -> set[str]:
    return {token.word for text in names.label.values() for token in tokenize(text)}


def _unless_named(answered: Parts, before: Parts) -> Choice | None:
    return None if answered.metrics else before.metric_choice


def _read(value: str, answering: Answering) -> Reading:
    typed = tokenize(value)
    locale = detect(typed, value, answering.locale, answering.book.own_words)
    tokens, _ = answering.book.speller.correct(typed, locale)
    return read_mentions(tokens, answering.lexicon, locale)
