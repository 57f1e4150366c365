"""Which sensitive metrics a query shows: told from the spec where there is one, else from what the SQL reads."""

import unicodedata
from collections.abc import Iterator

from sqlglot import exp

from agent.sql.compile.leaves import metric_of
from agent.sql.compile.sources import wanted_metrics
from agent.sql.conditions import is_column_of
from agent.sql.facts import Block, Facts, Reference
from agent.sql.restrictions import hidden_members
from agent.sql.scope import SensitiveMeasure
from agent.values.spec import MemberFilter, QuerySpec
from semantic_catalog.model import Domain, Metric, MetricName


def sensitive_metrics_of(spec: QuerySpec, domain: Domain) -> tuple[MetricName, ...]:
    """The metrics of the question that are sensitive, or a sum that shows a sensitive one as a part of it.

    Raises `SpecNotCompilable` when the spec names a metric that the domain has not.
    """
    kept = frozenset(_restrictions(domain))
    wanted = (metric_of(domain, name) for name in wanted_metrics(spec, domain))
    return tuple(metric.name for metric in wanted if metric.sensitive or _shows(metric, kept, spec, domain))


def sensitive_metrics_read(facts: Facts) -> Iterator[MetricName]:
    """The sensitive metrics that written SQL may show: it reads what they are made of and does not leave them out."""
    for reference in facts.references:
        for measure in reference.source.sensitive_measures:
            if _reads(reference, measure, facts) and not _leaves_out(reference, measure, facts):
                yield measure.metric


def _restrictions(domain: Domain) -> Iterator[str]:
    for metric in domain.metrics:
        for entity in domain.entities if metric.sensitive and metric.measure else ():
            measure = entity.measure(metric.measure) if metric.measure else None
            if measure and measure.restriction:
                yield measure.restriction


def _shows(metric: Metric, kept: frozenset[str], spec: QuerySpec, domain: Domain) -> bool:
    """Whether a sum of many things holds a sensitive one that the question does not leave out."""
    measures = [entity.measure(metric.measure) for entity in domain.entities if metric.measure]
    holds = any(measure.restriction in kept for measure in measures if measure and measure.filter is None)
    return holds and not any(_leaves_out_members(wanted, kept, domain) for wanted in spec.filters)


def _leaves_out_members(wanted: MemberFilter, kept: frozenset[str], domain: Domain) -> bool:
    hidden = set(hidden_members(domain.dimension(wanted.dimension), kept))
    named = hidden & set(wanted.values)
    return bool(hidden) and (not named if wanted.include else named == hidden)


def _reads(reference: Reference, measure: SensitiveMeasure, facts: Facts) -> bool:
    read = {each.column.lower() for each in facts.reads if each.reference == reference.number}
    return reference.whole or set(measure.columns) <= read


def _leaves_out(reference: Reference, measure: SensitiveMeasure, facts: Facts) -> bool:
    """Whether each SELECT over the source names the values it takes, and the measure's is not among them."""
    if measure.kept_by is None:
        return False
    source, column, value = measure.kept_by
    blocks = [block for block in facts.blocks if block.relation(reference.number)]
    return bool(blocks) and all(_names_others(block, source, column, value, facts) for block in blocks)


def _names_others(block: Block, source: str, column: str, value: str, facts: Facts) -> bool:
    named = [r for r in facts.references if r.source.name.lower() == source.lower() and block.relation(r.number)]
    where = block.select.args.get("where")
    if len(named) != 1 or where is None:
        return False
    parts = where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)
    return any(_is_among_others(part, named[0], column, value, facts) for part in parts)


def _is_among_others(part: exp.Expr, reference: Reference, column: str, value: str, facts: Facts) -> bool:
    if isinstance(part, exp.EQ):
        subject, values = part.left, [part.right]
    elif isinstance(part, exp.In) and part.expressions:
        subject, values = part.this, part.expressions
    else:
        return False
    return (
        isinstance(subject, exp.Column)
        and is_column_of(subject, reference, column, facts)
        and all(isinstance(each, exp.Literal) and _plain(each.name) != _plain(value) for each in values)
    )


def _plain(text: str) -> str:
    """As the most forgiving collation compares it."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in letters if not unicodedata.combining(each)).strip()
