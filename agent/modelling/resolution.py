"""A model's claims looked up in the catalog: what is found becomes parts of a question, what is not stays unused words.

Nothing is taken on trust: every metric, dimension and member is the catalog's or the warehouse's, every period is read
by our own grammar, and a name that is in neither place is asked about.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from agent.modelling.meaning import FilterOutput, MeaningOutput, ThresholdOutput
from agent.understanding.options import member_option
from agent.understanding.parts import Parts
from agent.understanding.periods import to_period
from agent.understanding.templates import read_period
from agent.understanding.tokens import fold
from agent.understanding.warehouse_names import index_names, near_names
from agent.values.spec import Calculation, CalculationKind, Comparison, MemberFilter, Option, OrderBy, Period, Threshold
from semantic_catalog.model import LOCALES, Dimension, DimensionName, Domain, Locale, MetricName, Names

_MOST_ROWS = 10_000
_MOST_BUCKETS = 366
Members = Mapping[DimensionName, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What claims are looked up in. `members` has every visible member of each dimension that the claims filter by."""

    domain: Domain
    locale: Locale
    today: date
    members: Members


def filtered_dimensions(output: MeaningOutput, domain: Domain) -> tuple[Dimension, ...]:
    """The catalog's dimensions whose members the claims name."""
    named = {_dimension(each.dimension, domain) for each in output.filters}
    return tuple(dimension for dimension in domain.dimensions if dimension.name in named)


def resolved(output: MeaningOutput, lookup: Lookup) -> Parts:
    """The parts that the claims stand for; `unused` names every claim that stands for nothing."""
    domain = lookup.domain
    metrics, no_metrics = _found(output.metrics, {each.name: each.names for each in domain.metrics})
    dimensions, no_dimensions = _found(output.dimensions, _dimension_names(domain))
    parts = Parts(
        metrics=tuple(MetricName(name) for name in metrics),
        dimensions=tuple(DimensionName(name) for name in dimensions),
        grain=output.grain,
        limit=output.limit if output.limit and 0 < output.limit <= _MOST_ROWS else None,
        chart=output.chart,
        unused=(*output.unused_words, *no_metrics, *no_dimensions),
    )
    for each in output.filters:
        parts = _with_filter(parts, each, lookup)
    for threshold in output.thresholds:
        parts = _with_threshold(parts, threshold, domain)
    return _with_order(_with_calculation(_with_time(parts, output, lookup), output, domain), output, domain)


def _found(claims: Iterable[str], known: Mapping[str, Names]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    by_words = _by_words(known)
    pairs = [(claim, by_words.get(fold(claim).strip())) for claim in dict.fromkeys(claims)]
    found = dict.fromkeys(name for _, name in pairs if name is not None)
    return tuple(found), tuple(claim for claim, name in pairs if name is None)


def _by_words(known: Mapping[str, Names]) -> dict[str, str]:
    """Names, labels and synonyms of every language, folded. What two things are called is nobody's name."""
    words: dict[str, set[str]] = {}
    for name, names in known.items():
        for locale in LOCALES:
            for said in (names.label.get(locale, ""), *names.synonyms.get(locale, ())):
                words.setdefault(fold(said), set()).add(name)
    own = {fold(name): name for name in known}
    return {word: next(iter(names)) for word, names in words.items() if word and len(names) == 1} | own


def _dimension_names(domain: Domain) -> dict[str, Names]:
    return {each.name: each.names for each in domain.dimensions}


def _dimension(claim: str, domain: Domain) -> DimensionName | None:
    found, _ = _found((claim,), _dimension_names(domain))
    return DimensionName(found[0]) if found else None


def _with_filter(parts: Parts, claim: FilterOutput, lookup: Lookup) -> Parts:
    name = _dimension(claim.dimension, lookup.domain)
    if name is None:
        return replace(parts, unused=(*parts.unused, *claim.members), blocking=(*parts.blocking, *claim.members))
    dimension = lookup.domain.dimension(name)
    values, unknown = _members(claim.members, dimension, lookup.members.get(name, ()))
    near = tuple(option for words in unknown for option in _near(words, dimension, lookup))
    kept = (MemberFilter(dimension=name, values=values, include=not claim.exclude),) if values else ()
    return replace(
        parts,
        filters=(*parts.filters, *kept),
        near=(*parts.near, *near),
        unused=(*parts.unused, *unknown),
        blocking=(*parts.blocking, *unknown),
    )


def _members(
    claims: Iterable[str], dimension: Dimension, values: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    by_words = _by_words({member.value: member.names for member in dimension.members if member.value in values})
    stored = {fold(value): value for value in values}
    pairs = [(claim, stored.get(fold(claim).strip()) or by_words.get(fold(claim).strip())) for claim in claims]
    found = dict.fromkeys(value for _, value in pairs if value is not None)
    return tuple(found), tuple(claim for claim, value in pairs if value is None)


def _near(words: str, dimension: Dimension, lookup: Lookup) -> tuple[Option, ...]:
    values = near_names(words, index_names(lookup.members.get(dimension.name, ())))
    return tuple(member_option(dimension.name, value, lookup.domain, lookup.locale) for value in values)


def _with_threshold(parts: Parts, claim: ThresholdOutput, domain: Domain) -> Parts:
    found, _ = _found((claim.metric,), {each.name: each.names for each in domain.metrics})
    if not found:
        words = f"{claim.metric} {claim.operator} {claim.value:g}"
        return replace(parts, unused=(*parts.unused, words), blocking=(*parts.blocking, words))
    value = Decimal(str(claim.value))
    threshold = Threshold(metric=MetricName(found[0]), operator=claim.operator, value=value)
    return replace(parts, having=(*parts.having, threshold))


def _with_time(parts: Parts, output: MeaningOutput, lookup: Lookup) -> Parts:
    period = _period(output.period, lookup)
    if output.period and period is None:
        parts = replace(parts, unused=(*parts.unused, output.period))
    parts = replace(
        parts,
        period=period,
        wants_previous=output.comparison == "previous_period",
        wants_year=output.comparison == "previous_year",
    )
    if output.comparison != "named":
        return parts
    other = _period(output.comparison_period, lookup)
    if other is None:
        words = output.comparison_period or ""
        return replace(parts, unused=(*parts.unused, words), blocking=(*parts.blocking, words)) if words else parts
    return replace(parts, comparison=Comparison(kind="named", period=other))


def _period(words: str | None, lookup: Lookup) -> Period | None:
    span = read_period(words, "en", lookup.today) if words else None
    return to_period(span, lookup.domain.timezone) if span else None


def _with_calculation(parts: Parts, output: MeaningOutput, domain: Domain) -> Parts:
    over = _dimension(output.calculation_over, domain) if output.calculation_over else None
    match output.calculation:
        case "none":
            return parts
        case "share":
            return replace(parts, share=True, share_of_member=over)
        case "growth":
            return replace(parts, growth=True)
        case "count_members":
            counted = over or (parts.dimensions[0] if parts.dimensions else None)
            return replace(parts, counted=counted, dimensions=tuple(d for d in parts.dimensions if d != counted))
        case "delta" | "rank" | "running_total" | "moving_average":
            return replace(parts, calculation=_calculation(output.calculation, over, output.calculation_window))


def _calculation(kind: CalculationKind, over: DimensionName | None, window: int | None) -> Calculation:
    buckets = window if window and 0 < window <= _MOST_BUCKETS else None
    return Calculation(kind=kind, over=over, window=buckets if kind == "moving_average" else None)


def _with_order(parts: Parts, output: MeaningOutput, domain: Domain) -> Parts:
    """A sort key that is no column of the result is said to be unused."""
    if not output.order_by:
        return parts
    known: dict[str, Names] = {each.name: each.names for each in domain.metrics}
    known |= _dimension_names(domain)
    found, _ = _found((output.order_by,), known)
    by = "time" if output.order_by == "time" else found[0] if found else ""
    columns = {*parts.metrics, *parts.dimensions, *(("time",) if parts.grain else ())}
    if by not in columns:
        return replace(parts, unused=(*parts.unused, output.order_by))
    return replace(parts, order=(OrderBy(by=by, descending=output.descending),))
