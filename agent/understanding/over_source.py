"""The last question read from another governed source: as it is, or with what else a message changes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.sql.compile.leaves import leaves_of, metric_of
from agent.sql.compile.relations import dimension_home
from agent.sql.compile.sources import demand_of, sources_for
from agent.understanding.source_words import SourceWish
from agent.values.spec import QuerySpec, Understanding
from agent.wording.dates import period_label
from agent.wording.texts import say
from semantic_catalog.model import Domain, Entity, Locale

NOT_HELD = "source_not_held"
"""The topic of a wish for a source that cannot answer: `unused_words` are its label and what it does not hold."""
_KEPT = ("unchanged", "absent")


def over_source(
    wish: SourceWish, last: QuerySpec, rest: Understanding | None, domain: Domain, locale: Locale, today: date
) -> Understanding:
    """The change of source with what the rest of the message means; said why not where the source cannot answer."""
    meaning = rest or _refined(last, locale)
    if rest is not None and rest.topic in _KEPT:
        meaning = _refined(last, locale)
    if meaning.spec is None or meaning.slots or meaning.declined:
        return meaning
    spec = replace(meaning.spec, entity=wish.entity.name, trusted_query=None)
    if sources_for(spec, domain, today) != (wish.entity,):
        words = (wish.entity.names.in_locale(locale), *lacking(wish.entity, spec, domain, locale, today))
        return _told(meaning, NOT_HELD, words)
    if rest is None and sources_for(last, domain, today)[:1] == (wish.entity,):
        return _told(meaning, "unchanged", ())
    return replace(meaning, spec=spec, source="rules", relation="analytical_follow_up")


def same_source(meaning: Understanding, last: QuerySpec, domain: Domain, today: date) -> Understanding:
    """A source that was asked for stays the source of what is asked next, as long as it can answer."""
    spec = meaning.spec
    if spec is None or last.entity is None or last.trusted_query or spec.trusted_query or spec.entity:
        return meaning
    pinned = replace(spec, entity=last.entity)
    return replace(meaning, spec=pinned) if len(sources_for(pinned, domain, today)) == 1 else meaning


def lacking(entity: Entity, spec: QuerySpec, domain: Domain, locale: Locale, today: date) -> tuple[str, ...]:
    """What the question needs and the source does not hold; its step of time or its days where all else is there."""
    names = tuple(_missing(entity, spec, domain, locale))
    if names:
        return names
    if spec.grain and sources_for(replace(spec, grain=None), domain, today) == (entity,):
        return (say(locale, f"change.grain_{spec.grain}"),)
    return (period_label(spec.period, locale),) if spec.period else ()


def _missing(entity: Entity, spec: QuerySpec, domain: Domain, locale: Locale) -> Iterator[str]:
    demand = demand_of(spec, domain, None)
    for name in demand.metrics:
        measures = (leaf.measure for leaf in leaves_of(metric_of(domain, name), domain))
        if any(measure is None or entity.measure(measure) is None for measure in measures):
            yield domain.metric(name).names.in_locale(locale)
    for dimension in demand.dimensions:
        if dimension_home(entity, domain, dimension) is None:
            yield domain.dimension(dimension).names.in_locale(locale)


def _refined(last: QuerySpec, locale: Locale) -> Understanding:
    return Understanding(
        relation="analytical_follow_up",
        turn_type="refine",
        language=locale,
        confidence=1.0,
        domain=last.domain,
        spec=last,
    )


def _told(meaning: Understanding, topic: str, words: tuple[str, ...]) -> Understanding:
    said = replace(meaning, relation="session_reference", turn_type="general", spec=None, assumptions=())
    return replace(said, topic=topic, unused_words=words)
