"""Where an entity finds a column or a dimension: in its own source or across joins that cannot multiply its rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from semantic_catalog.model import DimensionName, Domain, Entity, EntityDimension, EntityName, Relationship


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


def reachable(entity: Entity, domain: Domain) -> Iterator[Reach]:
    """The entity, then all that it can join without multiplying rows, nearest first."""
    hops = _hops(_Same(domain))
    reached = [Reach(entity=entity)]
    seen = {entity.name}
    for reach in reached:
        yield reach
        for hop in hops.get(reach.entity.name, ()):
            if hop.right.name not in seen:
                seen.add(hop.right.name)
                reached.append(Reach(entity=hop.right, hops=(*reach.hops, hop)))


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


class _Same:
    """A domain as a key: the very object, since comparing a wide domain by value takes longer than reading it."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def __hash__(self) -> int:
        return id(self.domain)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.domain is self.domain


@lru_cache(maxsize=32)
def _hops(same: _Same) -> Mapping[EntityName, tuple[Hop, ...]]:
    """Every join from a row to at most one row, by where it begins."""
    entities = {entity.name: entity for entity in same.domain.entities}
    found: dict[EntityName, list[Hop]] = {}
    for relationship in same.domain.relationships:
        for hop in _hops_of(relationship, entities):
            found.setdefault(hop.left.name, []).append(hop)
    return {name: tuple(hops) for name, hops in found.items()}


def _hops_of(relationship: Relationship, entities: Mapping[EntityName, Entity]) -> Iterator[Hop]:
    if relationship.cardinality == "many_to_many":
        return
    left, right = entities[relationship.left], entities[relationship.right]
    yield Hop(left=left, right=right, on=relationship.on)
    if relationship.cardinality == "one_to_one":
        yield Hop(left=right, right=left, on=tuple((other, own) for own, other in relationship.on))
