"""Where an entity finds a column or a dimension: in its own source or across joins that cannot multiply its rows."""

from dataclasses import dataclass

from semantic_catalog.model import DimensionName, Domain, Entity, EntityDimension, Relationship


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One join from a row of `left` to at most one row of `right`."""

    left: Entity
    right: Entity
    on: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """An entity and the joins that lead to it; the reading entity itself is reached without any."""

    entity: Entity
    hops: tuple[Hop, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionHome:
    """Where a dimension's member values and descriptions are read."""

    reach: Reach
    mapping: EntityDimension


def reachable(entity: Entity, domain: Domain) -> tuple[Reach, ...]:
    """The entity, then all that it can join without multiplying rows, nearest first."""
    reached = [Reach(entity=entity)]
    for reach in reached:
        seen = {other.entity.name for other in reached}
        hops = (_hop(relationship, reach.entity, domain) for relationship in domain.relationships)
        reached += [Reach(entity=h.right, hops=(*reach.hops, h)) for h in hops if h and h.right.name not in seen]
    return tuple(reached)


def dimension_home(entity: Entity, domain: Domain, dimension: DimensionName) -> DimensionHome | None:
    """The nearest place where rows of `entity` find the dimension."""
    for reach in reachable(entity, domain):
        mapping = reach.entity.dimension(dimension)
        if mapping:
            return DimensionHome(reach=reach, mapping=mapping)
    return None


def column_home(entity: Entity, domain: Domain, column: str) -> Reach | None:
    """The nearest entity that has the column."""
    for reach in reachable(entity, domain):
        if any(own.name == column for own in reach.entity.columns):
            return reach
    return None


def _hop(relationship: Relationship, entity: Entity, domain: Domain) -> Hop | None:
    if relationship.cardinality == "many_to_many":
        return None
    if relationship.left == entity.name:
        return Hop(left=entity, right=domain.entity(relationship.right), on=relationship.on)
    if relationship.right == entity.name and relationship.cardinality == "one_to_one":
        flipped = tuple((right, left) for left, right in relationship.on)
        return Hop(left=entity, right=domain.entity(relationship.left), on=flipped)
    return None
