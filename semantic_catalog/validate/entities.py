"""Entities, dimensions, joins and expectations refer to each other by names that exist."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.validate.rule import DomainSource


def joined_entities_exist(source: DomainSource) -> Iterator[Issue]:
    """Both sides of a join, the entity of an expectation and of a required join are entities of the domain."""
    known = {entity.name for entity in source.domain.entities}
    named: list[tuple[str, tuple[str, ...]]] = []
    for index, relationship in enumerate(source.domain.relationships):
        named.append((relationship.left, ("relationships", str(index), "left")))
        named.append((relationship.right, ("relationships", str(index), "right")))
    named.extend((expectation.entity, ("quality", expectation.entity)) for expectation in source.domain.quality)
    for entity in source.domain.entities:
        at = ("entities", entity.name, "required_joins")
        named.extend((rule.entity, (*at, rule.entity)) for rule in entity.required_joins)
    for name, path in named:
        if name not in known:
            yield source.issue(f"unknown entity '{name}'", *path, suggestion=nearest(name, known))


def required_joins_are_declared(source: DomainSource) -> Iterator[Issue]:
    """A join that a rule demands is one of the domain's joins, on that column."""
    joins = {(join.left, join.right, pair[0]) for join in source.domain.relationships for pair in join.on}
    for entity in source.domain.entities:
        for rule in entity.required_joins:
            if (entity.name, rule.entity, rule.column) not in joins:
                message = f"no join of '{entity.name}' to '{rule.entity}' on '{rule.column}'"
                yield source.issue(message, "entities", entity.name, "required_joins", rule.entity)


def dimensions_are_held(source: DomainSource) -> Iterator[Issue]:
    """An entity holds dimensions that the domain defines; a dimension that no entity holds is a warning."""
    known = {dimension.name for dimension in source.domain.dimensions}
    held = {own.dimension for entity in source.domain.entities for own in entity.dimensions}
    for entity in source.domain.entities:
        for own in entity.dimensions:
            if own.dimension not in known:
                hint = nearest(own.dimension, known)
                path = ("entities", entity.name, "dimensions", own.dimension)
                yield source.issue(f"unknown dimension '{own.dimension}'", *path, suggestion=hint)
    for name in sorted(known - held):
        yield source.issue(f"no entity holds the dimension '{name}'", "dimensions", name, severity="warning")


def members_are_listed_once(source: DomainSource) -> Iterator[Issue]:
    """A dimension lists its members, or leaves them to the warehouse; never neither."""
    for dimension in source.domain.dimensions:
        at = ("dimensions", dimension.name)
        if dimension.members_from == "catalog" and dimension.type == "categorical" and not dimension.members:
            hint = "list them, or write 'members_from: warehouse'"
            yield source.issue(f"dimension '{dimension.name}' has no members", *at, suggestion=hint)
