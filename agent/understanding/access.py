"""What the asker's row rules leave of a dimension, told from the rules that are plain lists of members."""

from collections.abc import Iterable, Sequence

from agent.values.identity import Principal
from agent.values.spec import Declined, MemberFilter, QuerySpec
from semantic_catalog.model import DimensionName, Domain, Entity, Locale, MetricName
from semantic_catalog.reach import parts_of


def rows_declined(spec: QuerySpec, domain: Domain, entities: Sequence[Entity], principal: Principal) -> Declined | None:
    """The refusal of a question that is only about members the asker may not see, judged on the first source read."""
    for entity in entities[:1]:
        for wanted in (item for item in spec.filters if item.include):
            allowed = allowed_members(wanted.dimension, (entity,), domain, principal)
            if allowed is not None and not set(wanted.values) & allowed:
                return _refusal(wanted, allowed)
    return None


def metrics_declined(
    metrics: Sequence[MetricName], domain: Domain, principal: Principal, locale: Locale
) -> Declined | None:
    """The refusal of a metric that needs figures a restriction of the asker hides, with the nearest one that does not.

    The restriction `<metric>_restricted` hides that metric and everything computed from it.
    """
    hidden = {MetricName(name.removesuffix("_restricted")) for name in principal.restrictions}
    for name in metrics:
        needed = _needed(name, domain)
        if needed & hidden:
            allowed = _nearest_allowed(needed, hidden, domain)
            said = (("asked", name), ("hidden", next(iter(needed & hidden))), ("allowed", allowed))
            labels = ((key, domain.metric(MetricName(each)).names.in_locale(locale)) for key, each in said)
            return Declined(rule="metric_restricted", params=tuple(labels))
    return None


def _needed(name: MetricName, domain: Domain) -> set[MetricName]:
    """The metric and all that it is computed from or a view of."""
    metric = domain.metric(name)
    parts = (*parts_of(metric), *((metric.view_of,) if metric.view_of else ()))
    return {name}.union(*(_needed(part, domain) for part in parts))


def _nearest_allowed(needed: set[MetricName], hidden: set[MetricName], domain: Domain) -> MetricName:
    """The metric without anything hidden that shares most with what was asked, a computed one first."""
    open_ones = [m for m in domain.metrics if m.view is None and not _needed(m.name, domain) & hidden]
    ranked = sorted(open_ones, key=lambda m: (-len(_needed(m.name, domain) & needed), m.kind != "derived"))
    return ranked[0].name


def _refusal(wanted: MemberFilter, allowed: set[str]) -> Declined:
    params = (("asked", ", ".join(wanted.values)), ("allowed", ", ".join(sorted(allowed))))
    return Declined(rule="rows_not_permitted", params=params)


def allowed_members(
    dimension: DimensionName, entities: Iterable[Entity], domain: Domain, principal: Principal
) -> set[str] | None:
    """The members left by the rules on these sources; None when no rule speaks of the dimension."""
    columns = {entity.source: home.column for entity in entities if (home := entity.dimension(dimension))}
    listed = [
        set(rule.members)
        for rule in principal.row_rules
        if rule.domain == domain.name and rule.members and rule.column and columns.get(rule.source) == rule.column
    ]
    return set.intersection(*listed) if listed else None


def visible_members(
    values: tuple[str, ...], dimension: DimensionName, domain: Domain, principal: Principal
) -> tuple[str, ...]:
    """The members that may be named to the asker."""
    allowed = allowed_members(dimension, domain.entities, domain, principal)
    return values if allowed is None else tuple(value for value in values if value in allowed)
