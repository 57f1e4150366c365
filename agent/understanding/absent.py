"""What a change takes out of a question that does not hold it: said, never dropped."""

from collections.abc import Iterator

from agent.understanding.edit_members import members_to_go, removes_filters
from agent.understanding.edit_metrics import removed_metrics
from agent.understanding.edits import removes_unit
from agent.understanding.mentions import Reading
from agent.understanding.names import is_dimension
from agent.values.spec import QuerySpec, Understanding
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Domain, Locale

ABSENT = "absent"
"""The key of the assumption that names what a change was to take out and is not there."""


def absent(reading: Reading, last: QuerySpec, domain: Domain) -> tuple[str, ...]:
    """The labels of what the message takes out of a question that does not hold it."""
    locale = reading.locale
    metrics = sorted(removed_metrics(reading) - set(last.metrics))
    split = () if removes_filters(reading) else last.dimensions
    held = {*split, *(item.dimension for item in last.filters)}
    dimensions = sorted(_removed_dimensions(reading) - held)
    members = sorted(members_to_go(reading) - _held(last)) if removes_filters(reading) else []
    names = (*(domain.metric(each).names for each in metrics), *(domain.dimension(each).names for each in dimensions))
    called = (_called(domain, name, value, locale) for name, value in members)
    return (*(each.in_locale(locale) for each in names), *called, *_absent_shape(reading, last))


def _held(spec: QuerySpec) -> set[tuple[DimensionName, str]]:
    return {(item.dimension, value) for item in spec.filters for value in item.values}


def _called(domain: Domain, name: DimensionName, value: str, locale: Locale) -> str:
    known = {member.value: member.names.in_locale(locale) for member in domain.dimension(name).members}
    return known.get(value, value)


def _absent_shape(reading: Reading, last: QuerySpec) -> Iterator[str]:
    """A limit, a step of time or a comparison that is to go from a question without one."""
    gone = {later.rule for mark in reading.with_rule("remove", "exclude") if (later := reading.after(mark))}
    if "limit_word" in gone and last.limit is None:
        yield say(reading.locale, "change.a_limit")
    if "compare" in gone and last.comparison is None:
        yield say(reading.locale, "change.a_comparison")
    if removes_unit(reading) and last.grain is None:
        yield say(reading.locale, "change.a_grain")


def said_absent(meaning: Understanding, locale: Locale) -> tuple[str, ...]:
    """A line of the revision for what was not there to be taken out."""
    lines = (item for item in meaning.assumptions if item.key == ABSENT)
    return tuple(say(locale, "change.absent_too", **dict(item.params)) for item in lines)


def _removed_dimensions(reading: Reading) -> set[DimensionName]:
    following = (reading.after(mark) for mark in reading.with_rule("remove", "exclude"))
    return {DimensionName(t.name) for m in following if m and is_dimension(m) for t in m.of_kind("dimension")}
