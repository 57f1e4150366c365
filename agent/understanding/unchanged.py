"""Messages that would change the question before them, and change nothing: said, not asked again."""

from dataclasses import replace

from agent.understanding.edit_metrics import removed_metrics
from agent.understanding.mentions import Reading
from agent.understanding.names import is_dimension
from agent.values.spec import QuerySpec
from semantic_catalog.model import DimensionName, Domain


def same_question(one: QuerySpec, other: QuerySpec) -> bool:
    """Whether two specs ask the same; a signed question that was read again has lost its name."""
    return replace(one, trusted_query=None, entity=None) == replace(other, trusted_query=None, entity=None)


def absent(reading: Reading, last: QuerySpec, domain: Domain) -> tuple[str, ...]:
    """The labels of what the message takes out of a question that does not hold it."""
    locale = reading.locale
    metrics = sorted(removed_metrics(reading) - set(last.metrics))
    held = {*last.dimensions, *(item.dimension for item in last.filters)}
    dimensions = sorted(_removed_dimensions(reading) - held)
    names = (*(domain.metric(each).names for each in metrics), *(domain.dimension(each).names for each in dimensions))
    return tuple(each.in_locale(locale) for each in names)


def _removed_dimensions(reading: Reading) -> set[DimensionName]:
    following = (reading.after(mark) for mark in reading.with_rule("remove", "exclude"))
    return {DimensionName(t.name) for m in following if m and is_dimension(m) for t in m.of_kind("dimension")}
