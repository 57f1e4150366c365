"""Names are identifiers and each thing has its own: a result column can be any metric, dimension or `time`."""

import re
from collections.abc import Iterable, Iterator

from semantic_catalog.issues import Issue
from semantic_catalog.model import Entity
from semantic_catalog.validate.rule import DomainSource

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,62}")
_RESERVED = {"time"}
Named = tuple[str, tuple[str, ...]]


def names_are_unique(source: DomainSource) -> Iterator[Issue]:
    """Metrics, dimensions and entities share no name; measures, columns and members are unique where they stand."""
    domain = source.domain
    shared = [
        *((metric.name, ("metrics", metric.name)) for metric in domain.metrics),
        *((dimension.name, ("dimensions", dimension.name)) for dimension in domain.dimensions),
        *((entity.name, ("entities", entity.name)) for entity in domain.entities),
    ]
    yield from _repeated(source, shared)
    yield from _malformed(source, shared)
    yield from _repeated(source, _at(("trusted_queries",), [query.name for query in domain.trusted_queries]))
    for dimension in domain.dimensions:
        values = [member.value for member in dimension.members]
        yield from _repeated(source, _at(("dimensions", dimension.name, "members"), values))
    for entity in domain.entities:
        yield from _repeated_in_entity(source, entity)


def _repeated_in_entity(source: DomainSource, entity: Entity) -> Iterator[Issue]:
    at = ("entities", entity.name)
    measures = _at((*at, "measures"), [measure.name for measure in entity.measures])
    yield from _repeated(source, measures)
    yield from _malformed(source, measures)
    yield from _repeated(source, _at((*at, "columns"), [column.name for column in entity.columns]))
    yield from _repeated(source, _at((*at, "dimensions"), [held.dimension for held in entity.dimensions]))


def _at(path: tuple[str, ...], names: Iterable[str]) -> list[Named]:
    return [(name, (*path, name)) for name in names]


def _repeated(source: DomainSource, named: Iterable[Named]) -> Iterator[Issue]:
    seen: set[str] = set()
    for name, path in named:
        if name in seen:
            yield source.issue(f"the name '{name}' is taken", *path)
        seen.add(name)


def _malformed(source: DomainSource, named: Iterable[Named]) -> Iterator[Issue]:
    for name, path in named:
        if not _IDENTIFIER.fullmatch(name):
            yield source.issue(f"'{name}' is not a name: lower-case letters, digits and _ only", *path)
        elif name in _RESERVED:
            yield source.issue(f"the name '{name}' is reserved", *path)
