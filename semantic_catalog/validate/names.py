"""Names are identifiers and each thing has its own: a result column can be any metric, dimension or `time`."""

import re
from collections.abc import Iterable, Iterator

from semantic_catalog.issues import Issue
from semantic_catalog.validate.rule import DomainSource

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,62}")
_RESERVED = {"time"}
Named = tuple[str, tuple[str, ...]]


def names_are_unique(source: DomainSource) -> Iterator[Issue]:
    """Metrics, dimensions and entities share no name; they and measures can be written as a column's name."""
    domain = source.domain
    shared = [
        *((metric.name, ("metrics", metric.name)) for metric in domain.metrics),
        *((dimension.name, ("dimensions", dimension.name)) for dimension in domain.dimensions),
        *((entity.name, ("entities", entity.name)) for entity in domain.entities),
    ]
    yield from _repeated(source, shared)
    yield from _malformed(source, shared)
    for entity in domain.entities:
        at = ("entities", entity.name, "measures")
        yield from _malformed(source, ((measure.name, (*at, measure.name)) for measure in entity.measures))


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
