"""Examples, trusted queries and ambiguous words speak of things that exist and can be answered."""

from collections.abc import Iterable, Iterator

from semantic_catalog.issues import Issue, nearest
from semantic_catalog.model import Dimension, Domain, SpecTemplate
from semantic_catalog.reach import can_answer
from semantic_catalog.validate.rule import DomainSource

Path = tuple[str, ...]


def templates_are_known(source: DomainSource) -> Iterator[Issue]:
    """Their metrics, dimensions and members are the catalog's."""
    for template, at in _templates(source.domain):
        yield from _unknown(source, "metric", template.metrics, (*at, "metrics"))
        yield from _unknown(source, "dimension", template.dimensions, (*at, "dimensions"))
        filtered = [dimension for dimension, _ in template.filters]
        yield from _unknown(source, "dimension", filtered, (*at, "filters"))
        yield from _unknown_members(source, template, (*at, "filters"))
        if not template.metrics:
            yield source.issue("a question needs a metric", *at)
        if template.limit is not None and template.limit < 1:
            yield source.issue("'limit' must be at least 1", *at, "limit")


def ambiguous_words_are_known(source: DomainSource) -> Iterator[Issue]:
    """What an ambiguous word offers is the catalog's."""
    for index, word in enumerate(source.domain.ambiguous):
        at = ("ambiguous", str(index))
        yield from _unknown(source, "metric", word.metrics, (*at, "metrics"))
        yield from _unknown(source, "dimension", word.dimensions, (*at, "dimensions"))


def templates_are_answerable(source: DomainSource) -> Iterator[Issue]:
    """Each of their metrics can be split and filtered the way they say, from one source a measure."""
    names = {metric.name for metric in source.domain.metrics}
    for template, at in _templates(source.domain):
        dimensions = frozenset((*template.dimensions, *(dimension for dimension, _ in template.filters)))
        for metric in template.metrics:
            if metric in names and not can_answer(source.domain, metric, dimensions, template.grain):
                asked = ", ".join((*sorted(dimensions), *filter(None, [template.grain])))
                yield source.issue(f"no source gives '{metric}' by {asked or 'itself'}", *at)


def _templates(domain: Domain) -> Iterator[tuple[SpecTemplate, Path]]:
    for index, example in enumerate(domain.examples):
        yield example.spec, ("examples", str(index), "spec")
    for query in domain.trusted_queries:
        yield query.spec, ("trusted_queries", query.name, "spec")


def _unknown(source: DomainSource, kind: str, names: Iterable[str], path: Path) -> Iterator[Issue]:
    defined = source.domain.metrics if kind == "metric" else source.domain.dimensions
    known = {thing.name for thing in defined}
    for name in names:
        if name not in known:
            yield source.issue(f"unknown {kind} '{name}'", *path, suggestion=nearest(name, known))


def _unknown_members(source: DomainSource, template: SpecTemplate, path: Path) -> Iterator[Issue]:
    dimensions: dict[str, Dimension] = {dimension.name: dimension for dimension in source.domain.dimensions}
    for name, values in template.filters:
        dimension = dimensions.get(name)
        if dimension is not None and dimension.members_from == "catalog":
            known = {member.value for member in dimension.members}
            for value in values:
                if value not in known:
                    hint = nearest(value, known)
                    yield source.issue(f"'{name}' has no member '{value}'", *path, name, suggestion=hint)
