"""What differs between two revisions of a question, in words: never a raw diff."""

from collections.abc import Iterator

from agent.values.spec import MemberFilter, OrderBy, QuerySpec, Threshold
from agent.wording.dates import period_label
from agent.wording.texts import say
from semantic_catalog.model import Domain, Locale


def spec_changes(before: QuerySpec, after: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    """One line a difference, in the order a person reads a question; empty when the two are the same question."""
    return tuple(_changes(before, after, domain, locale))


def _changes(before: QuerySpec, after: QuerySpec, domain: Domain, locale: Locale) -> Iterator[str]:
    yield from _named("metric", _metrics(before, domain, locale), _metrics(after, domain, locale), locale)
    yield from _named("split", _splits(before, domain, locale), _splits(after, domain, locale), locale)
    yield from _named("filter", _filters(before, domain, locale), _filters(after, domain, locale), locale)
    for key, was, now in (
        ("period", _period(before, locale), _period(after, locale)),
        ("grain", _grain(before, locale), _grain(after, locale)),
        ("comparison", _comparison(before, locale), _comparison(after, locale)),
        ("condition", _having(before, locale), _having(after, locale)),
        ("order", _order(before, domain, locale), _order(after, domain, locale)),
        ("limit", str(before.limit or ""), str(after.limit or "")),
    ):
        yield from _moved(key, was, now, locale)
    if after.entity is not None and after.entity != before.entity and not after.trusted_query:
        yield say(locale, "change.source", name=domain.entity(after.entity).names.in_locale(locale))
    if after.entity is None and before.entity is not None and not before.trusted_query:
        yield say(locale, "change.any_source")


def _named(key: str, was: tuple[str, ...], now: tuple[str, ...], locale: Locale) -> Iterator[str]:
    yield from (say(locale, f"change.{key}_removed", name=name) for name in was if name not in now)
    yield from (say(locale, f"change.{key}_added", name=name) for name in now if name not in was)


def _moved(key: str, was: str, now: str, locale: Locale) -> Iterator[str]:
    if was == now:
        return
    nothing = say(locale, "change.none")
    yield say(locale, f"change.{key}", was=was or nothing, now=now or nothing)


def _metrics(spec: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    return tuple(domain.metric(name).names.in_locale(locale) for name in spec.metrics)


def _splits(spec: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    return tuple(domain.dimension(name).names.in_locale(locale) for name in spec.dimensions)


def _filters(spec: QuerySpec, domain: Domain, locale: Locale) -> tuple[str, ...]:
    return tuple(_filter(item, domain, locale) for item in spec.filters)


def _filter(item: MemberFilter, domain: Domain, locale: Locale) -> str:
    dimension = domain.dimension(item.dimension)
    known = {member.value: member.names.in_locale(locale) for member in dimension.members}
    members = ", ".join(known.get(value, value) for value in item.values) or say(locale, "receipt.no_member")
    key = "change.filter_is" if item.include else "change.filter_is_not"
    return say(locale, key, name=dimension.names.in_locale(locale), members=members)


def _period(spec: QuerySpec, locale: Locale) -> str:
    return period_label(spec.period, locale) if spec.period else ""


def _grain(spec: QuerySpec, locale: Locale) -> str:
    return say(locale, f"change.grain_{spec.grain}") if spec.grain else ""


def _comparison(spec: QuerySpec, locale: Locale) -> str:
    return period_label(spec.comparison.period, locale) if spec.comparison else ""


def _having(spec: QuerySpec, locale: Locale) -> str:
    return ", ".join(f"{item.operator} {_limit(item, locale)}" for item in spec.having)


def _limit(item: Threshold, locale: Locale) -> str:
    return say(locale, "change.average") if item.against == "average" else f"{item.value.normalize():f}"


def _order(spec: QuerySpec, domain: Domain, locale: Locale) -> str:
    return ", ".join(_ordered(item, domain, locale) for item in spec.order)


def _ordered(item: OrderBy, domain: Domain, locale: Locale) -> str:
    metrics = {str(metric.name): metric.names.in_locale(locale) for metric in domain.metrics}
    dimensions = {str(dimension.name): dimension.names.in_locale(locale) for dimension in domain.dimensions}
    by = {**metrics, **dimensions}.get(item.by) or say(locale, "change.time")
    return say(locale, "change.descending" if item.descending else "change.ascending", by=by)
