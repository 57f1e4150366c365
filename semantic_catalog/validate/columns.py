"""Every column that the catalog speaks of is a column of the entity it speaks about."""

from collections.abc import Iterator

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Entity
from semantic_catalog.validate.rule import DomainSource

Reference = tuple[str, tuple[str, ...]]


def columns_exist(source: DomainSource) -> Iterator[Issue]:
    """Grain, time, dimension, label, rule, quality and join columns exist."""
    for entity in source.domain.entities:
        yield from _unknown(source, entity, _references(entity))
    entities = {entity.name: entity for entity in source.domain.entities}
    for expectation in source.domain.quality:
        if expectation.entity in entities:
            not_null = ("quality", expectation.entity, "not_null")
            references = ((name, not_null) for name in expectation.not_null)
            yield from _unknown(source, entities[expectation.entity], references)
    for index, relationship in enumerate(source.domain.relationships):
        on = ("relationships", str(index), "on")
        for side, names in ((relationship.left, 0), (relationship.right, 1)):
            if side in entities:
                yield from _unknown(source, entities[side], ((pair[names], on) for pair in relationship.on))


def _references(entity: Entity) -> Iterator[Reference]:
    at = ("entities", entity.name)
    yield from ((column, (*at, "grain")) for column in entity.grain)
    if entity.time:
        yield entity.time.column, (*at, "time", "column")
    for held in entity.dimensions:
        yield held.column, (*at, "dimensions", held.dimension)
        if held.label_column is not None:
            yield held.label_column, (*at, "dimensions", held.dimension, "label_column")
    for rule in entity.required_filters:
        path = (*at, "required_filters", rule.column)
        yield from ((column, path) for column in (rule.column, *rule.when_columns))
    yield from ((rule.column, (*at, "required_joins", rule.entity)) for rule in entity.required_joins)


def _unknown(source: DomainSource, entity: Entity, references: Iterator[Reference]) -> Iterator[Issue]:
    known = {column.name for column in entity.columns}
    for column, path in references:
        if column not in known:
            message = f"'{entity.name}' has no column '{column}'"
            yield source.issue(message, *path, suggestion=nearest(column, known))
