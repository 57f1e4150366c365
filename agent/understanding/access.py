"""What the asker's row rules leave of a dimension, told from the rules that are plain lists of members."""

from collections.abc import Iterable, Sequence

from agent.sql.restrictions import hidden_part, open_instead
from agent.values.identity import Principal
from agent.values.spec import Declined, MemberFilter, QuerySpec
from semantic_catalog.model import DimensionName, Domain, Entity, Locale, MetricName


def rows_declined(spec: QuerySpec, domain: Domain, entities: Sequence[Entity], principal: Principal) -> Declined | None:
    """The refusal of a question that is only about members the asker may not see, judged on the first source read."""
    for entity in entities[:1]:
        for wanted in (item for item in spec.filters if item.include):
            allowed = allowed_members(wanted.dimension, (entity,), domain, principal)
            if allowed is not None and not set(wanted.values) & allowed:
                return _refusal(wanted, allowed)
    return None


def members_declined(filters: Sequence[MemberFilter], domain: Domain, principal: Principal) -> Declined | None:
    """The refusal of members that the asker may see on no source, whatever else is asked of them."""
    for wanted in (item for item in filters if item.include and item.values):
        homes = [entity for entity in domain.entities if entity.dimension(wanted.dimension)]
        allowed = [allowed_members(wanted.dimension, (home,), domain, principal) for home in homes]
        if allowed and all(each is not None and not set(wanted.values) & each for each in allowed):
            return _refusal(wanted, allowed[0] or set())
    return None


def metrics_declined(
    metrics: Sequence[MetricName], domain: Domain, principal: Principal, locale: Locale
) -> Declined | None:
    """The refusal of a metric that needs figures a restriction of the asker hides, with the nearest one that does not.

    What a question may leave out is judged once it is complete (`agent.sql.restrictions`).
    """
    kept = frozenset(principal.restrictions)
    for name in metrics if kept else ():
        hidden = hidden_part(name, domain, kept)
        if hidden is not None:
            return _metric_refusal(name, hidden, open_instead(name, domain, kept), domain, locale)
    return None


def _metric_refusal(
    asked: MetricName, hidden: MetricName, allowed: MetricName | None, domain: Domain, locale: Locale
) -> Declined:
    said = {"asked": asked, "hidden": hidden, "allowed": allowed}
    rule = "metric_restricted" if asked != hidden else "metric_hidden"
    rule = rule if allowed else f"{rule}_alone"
    params = ((key, domain.metric(name).names.in_locale(locale)) for key, name in said.items() if name is not None)
    return Declined(rule=rule, params=tuple(params))


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
